#include "sim/component.h"

namespace tutti::sim {

Component::Component(Timeline& t, std::string path)
    : timeline_(&t), path_(std::move(path)), index_(t.components_.size()) {
  t.components_.push_back(this);
}

Component::Component(const Component& parent, std::string_view name)
    : Component(*parent.timeline_, parent.path_ + "." + std::string(name)) {}

Component::~Component() {
  auto& all = timeline_->components_;
  all[index_] = all.back();
  all[index_]->index_ = index_;
  all.pop_back();
}

}  // namespace tutti::sim
