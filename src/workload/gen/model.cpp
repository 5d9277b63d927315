#include "workload/gen/model.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::workload::gen {

std::uint64_t ModelShape::weights() const {
  const std::uint64_t blocks = experts == 0 ? 1 : experts;
  const std::uint64_t layer = attention_weights() + blocks * feed_forward_weights() + router_weights() + norm_weights();
  return layers * layer + hidden + vocabulary * hidden * (tied ? 1 : 2);
}

const std::vector<ModelShape>& models() {
  static const std::vector<ModelShape> all = {
      {"tiny", 4, 256, 4, 4, 1024, 1024, 128, false, true, 0, 0, "ours, for tests"},
      {"tiny-moe", 4, 256, 4, 2, 512, 1024, 128, true, false, 8, 2, "ours, for tests"},
      {"gpt2-117m", 12, 768, 12, 12, 3072, 50257, 1024, false, true, 0, 0, "Radford et al. 2019, table 2"},
      {"gpt2-1.5b", 48, 1600, 25, 25, 6400, 50257, 1024, false, true, 0, 0, "Radford et al. 2019, table 2"},
      {"gpt3-6.7b", 32, 4096, 32, 32, 16384, 50257, 2048, false, true, 0, 0, "Brown et al. 2020, table 2.1"},
      {"llama2-7b", 32, 4096, 32, 32, 11008, 32000, 4096, true, false, 0, 0, "Touvron et al. 2023, arXiv 2307.09288"},
      {"llama3-8b", 32, 4096, 32, 8, 14336, 128256, 8192, true, false, 0, 0, "Llama team 2024, arXiv 2407.21783"},
      {"megatron-8.3b", 72, 3072, 32, 32, 12288, 51200, 1024, false, true, 0, 0, "Shoeybi et al. 2019, table 1"},
      {"llama2-13b", 40, 5120, 40, 40, 13824, 32000, 4096, true, false, 0, 0, "Touvron et al. 2023, arXiv 2307.09288"},
      {"mixtral-8x7b", 32, 4096, 32, 8, 14336, 32000, 4096, true, false, 8, 2, "Jiang et al. 2024, table 1"},
      {"llama2-70b", 80, 8192, 64, 8, 28672, 32000, 4096, true, false, 0, 0, "Touvron et al. 2023, arXiv 2307.09288"},
      {"llama3-70b", 80, 8192, 64, 8, 28672, 128256, 8192, true, false, 0, 0, "Llama team 2024, arXiv 2407.21783"},
      {"gpt3-175b", 96, 12288, 96, 96, 49152, 50257, 2048, false, true, 0, 0, "Brown et al. 2020, table 2.1"},
      {"llama3-405b", 126, 16384, 128, 8, 53248, 128256, 8192, true, false, 0, 0, "Llama team 2024, table 3"},
      {"gpt-1t", 128, 25600, 160, 160, 102400, 51200, 2048, false, true, 0, 0, "Narayanan et al. 2021, table 1"},
  };
  return all;
}

const ModelShape& model(std::string_view name) {
  std::string known;
  for (const ModelShape& m : models()) {
    if (m.name == name) return m;
    known += (known.empty() ? "" : ", ") + m.name;
  }
  throw ConfigError(fmt::format("error: unknown model '{}'; known: {}", name, known));
}

}  // namespace tutti::workload::gen
