#include "rewrite.h"

#include "allocation_names.h"
#include "branch_masks.h"
#include "execution_spaces.h"
#include "feature_names.h"
#include "files/foreign_headers.h"
#include "files/line_directives.h"
#include "launches/cluster_dims.h"
#include "launches/kernel_entries.h"
#include "launches/kernel_notes.h"
#include "launches/launch_calls.h"
#include "launches/launches.h"
#include "main_function.h"
#include "spin_loops.h"
#include "text/diagnostics.h"
#include "text/edited_text.h"
#include "text/lexer.h"
#include "unchecked_calls.h"
#include "unused_results.h"
#include "variables/constants.h"
#include "variables/managed_variables.h"
#include "variables/shared_variables.h"

namespace tilelab::rewriter {

bool rewrite(std::string_view source, std::string_view name, const std::string& preprocessed,
             bool is_program, std::ostream& out) {
  Diagnostics diagnostics;
  refuse_line_directives(source, name, diagnostics);
  refuse_foreign_headers(preprocessed, diagnostics);
  EditedText text(tokenize(preprocessed, name));
  refuse_wrong_spaces(text, is_program, diagnostics);
  add_kernel_entries(text, is_program, diagnostics);
  KernelNotes notes(text);
  notes.begin();
  list_managed_variables(text);
  remove_space_words(text);
  rewrite_feature_names(text, diagnostics);
  rewrite_unused_results(text);
  mark_branch_masks(text);
  complete_returns_of_main(text);
  name_allocations(text);
  mark_unchecked_calls(text);
  separate_constants(text);
  rewrite_shared_variables(text, notes, diagnostics);
  rewrite_cluster_dims(text, diagnostics);
  rewrite_spin_loops(text);
  rewrite_launch_calls(text);
  rewrite_launches(text, diagnostics);
  if (diagnostics.has_errors()) return false;
  text.print(out);
  return true;
}

}  // namespace tilelab::rewriter
