#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::workload::gen {

/// The sizes of a transformer that decide its computation and communication.
struct ModelShape {
  std::string name;
  std::uint64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0;
  std::uint64_t ffn = 0;  ///< width of the feed-forward block, of each expert if there are experts
  std::uint64_t vocabulary = 0;
  std::uint64_t sequence = 0;  ///< tokens of a sequence in training
  bool gated = false;          ///< three matrices in the feed-forward block (SwiGLU) instead of two
  bool tied = false;           ///< the output layer shares the embedding's weights
  std::uint64_t experts = 0;   ///< of each layer; 0: dense
  std::uint64_t top_k = 0;     ///< experts a token goes to
  std::string source;

  std::uint64_t head_size() const { return hidden / heads; }
  std::uint64_t feed_forward_matrices() const { return gated ? 3 : 2; }
  /// Weights of the attention block, of one feed-forward block (or expert) and of the two norms; no biases.
  std::uint64_t attention_weights() const { return 2 * hidden * hidden + 2 * hidden * kv_heads * head_size(); }
  std::uint64_t feed_forward_weights() const { return feed_forward_matrices() * hidden * ffn; }
  std::uint64_t router_weights() const { return experts * hidden; }
  std::uint64_t norm_weights() const { return 2 * hidden; }
  /// All weights of the model, without positions and biases.
  std::uint64_t weights() const;
};

/// Published models, smallest first; docs/gen.md lists them.
const std::vector<ModelShape>& models();
/// @throws ConfigError  unknown name: lists the known ones.
const ModelShape& model(std::string_view name);

}  // namespace tutti::workload::gen
