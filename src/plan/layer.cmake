list(APPEND TUTTI_LINK_plan pugixml)
