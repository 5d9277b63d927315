#include "report/machine_places.h"

#include <algorithm>
#include <set>

#include "fabric/layout.h"

namespace tutti::report {
namespace {

struct Spot {
  double x, y;
};

}  // namespace

std::vector<PlaceRow> machine_places(const fabric::Graph& graph, const std::vector<LinkRow>& links) {
  std::set<std::string> used;
  for (const LinkRow& l : links) used.insert(l.source), used.insert(l.destination);
  std::vector<PlaceRow> all;
  const fabric::Layout* const layout = graph.layout();
  int loose = 0;
  const double cube_w = layout ? layout->columns + 2.0 : 1, cube_h = layout ? layout->rows + 2.0 : 1;
  const double sip_w = layout ? layout->cube_columns * cube_w + 2.0 : 1;
  std::vector<int> hung(graph.nodes().size(), 0);
  for (fabric::NodeId n = 0; n < graph.nodes().size(); ++n) {
    const fabric::Node& node = graph.nodes()[n];
    if (!used.count(node.path)) continue;
    Spot at{static_cast<double>(loose), -2};
    const fabric::Layout::Place* place = layout ? &layout->places[n] : nullptr;
    if (place && place->sip >= 0 && place->cube >= 0) {
      const auto& cube = layout->cube(place->sip, place->cube);
      at.x = place->sip * sip_w + place->cube % layout->cube_columns * cube_w + 1;
      at.y = place->cube / layout->cube_columns * cube_h + 1;
      const auto port = std::find(cube.ports.begin(), cube.ports.end(), n);
      if (port != cube.ports.end()) {
        const auto side = static_cast<fabric::Side>(port - cube.ports.begin());
        const double mid_x = (layout->columns - 1) / 2.0, mid_y = (layout->rows - 1) / 2.0;
        at.x += side == fabric::Side::west ? -0.75 : side == fabric::Side::east ? layout->columns - 0.25 : mid_x;
        at.y += side == fabric::Side::north ? -0.75 : side == fabric::Side::south ? layout->rows - 0.25 : mid_y;
      } else {
        const int router = std::max(place->router, 0);
        at.x += router % layout->columns, at.y += router / layout->columns;
        if (place->up != n) {  // what hangs at a router stands around it
          constexpr Spot around[] = {{0.3, 0.3}, {-0.3, 0.3}, {0.3, -0.3}, {-0.3, -0.3}, {0, 0.38}, {0.38, 0}};
          const Spot& d = around[static_cast<std::size_t>(hung[place->up]++) % std::size(around)];
          at.x += d.x, at.y += d.y;
        }
      }
    } else if (place && place->sip >= 0) {
      at = {place->sip * sip_w + sip_w / 2 - 1 + 0.6 * (loose % 5), -1.5};
      ++loose;
    } else {
      ++loose;
    }
    all.push_back({node.path, node.kind, at.x, at.y});
  }
  return all;
}

}  // namespace tutti::report
