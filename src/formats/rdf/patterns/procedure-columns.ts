/** Writes the columns of procedures that are not fields. */

import { text } from "../graph.ts";
import type { About } from "./about.ts";
import { writeTimeSpan } from "./time-spans.ts";

export function writeProcedureColumns({ graph, record }: About): void {
  const { start_date: start, end_date: end, due_date: due, reference_number: reference } = record.row;
  if (start !== null || end !== null) {
    const span = `${graph.about}#time`;
    graph.add(graph.about, "P4_has_time-span", span);
    writeTimeSpan(graph, span, [`${start ?? ""}/${end ?? ""}`], { lasted: true });
    graph.add(span, "rdfs:label", text(start === end ? start! : `${start ?? "…"}/${end ?? "…"}`));
  }
  if (due !== null) {
    const note = graph.part("due-date", "E33_Linguistic_Object");
    graph.add(graph.about, "P67i_is_referred_to_by", note);
    graph.add(note, "rdfs:label", text("due date", "en"));
    graph.add(note, "P190_has_symbolic_content", text(due));
  }
  if (reference !== null) {
    const number = graph.part("reference-number", "E42_Identifier");
    graph.add(graph.about, "P1_is_identified_by", number);
    graph.add(number, "rdfs:label", text("reference number", "en"));
    graph.add(number, "P190_has_symbolic_content", text(reference));
  }
}
