find_package(SQLite3 REQUIRED)
list(APPEND TUTTI_LINK_report SQLite::SQLite3)
