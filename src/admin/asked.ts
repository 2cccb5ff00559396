/** Reads the addresses and forms of the staff interface. */
import { html } from "hono/html";
import { joinBytes } from "../bytes.ts";
import { readForm } from "../http/request/multipart.ts";
import { storageProblem } from "../http/requests.ts";
import { said } from "../messages/said.ts";
import type { MessageKey } from "../messages/translate.ts";
import { note, numberAsked } from "../pages/parts.ts";
import type { Html, PageView, View } from "../pages/view.ts";
import { type Fault, faultsJson, Problem } from "../problem.ts";
import type { Kind } from "../records/kinds.ts";
import { demandId, readRecord } from "../records/read/read.ts";
import type { FoundRecord } from "../records/read/store.ts";
import { IdShape } from "../records/shape.ts";
import type { Services } from "../services.ts";

/** The record that the address names; 404 or 410 if the caller may not see it. */
export async function demandRow({ sql }: Services, view: PageView, kind: Kind): Promise<FoundRecord> {
  return readRecord(sql, view.caller, kind, idOf(view, kind));
}

export const idOf = ({ c }: PageView, kind: Kind): string => demandId(kind, c.req.param("id") ?? "");

/** The UUID in this parameter of the path; 404 for anything else. */
export function uuidIn({ c }: PageView, parameter: string): string {
  const id = IdShape.safeParse(c.req.param(parameter) ?? "");
  if (id.success) return id.data;
  throw new Problem("not_found", said("problem.id.unknown"));
}

/** Faults of the caller (4xx) are shown on the form. Everything else is a fault of the service. */
export function refusal(error: unknown): Problem {
  const problem = error instanceof Problem ? error : storageProblem(error);
  if (problem && [403, 409, 412, 413, 415, 422].includes(problem.status)) return problem;
  throw error;
}

/** The inputs of a form beside that of the fields, by the first step of the pointers that mean them: `to`. */
export type SideForm = Readonly<Record<string, { id: string; label: MessageKey }>>;

/** Does what a form on the page of a record asks for. If that is refused, answers with this page (`editor/record-page.ts`). */
export type OnRecord = (
  services: Services,
  view: PageView,
  kind: Kind,
  act: (row: FoundRecord) => Promise<Response>,
  form?: SideForm,
) => Promise<Response>;

/** The faults of fields; if there are none, the problem itself. */
export const faultsOf = ({ errors, told }: Problem): readonly Fault[] =>
  errors.length > 0 ? errors : [{ pointer: "", detail: told }];

/** The faults as a note. @param told the sentences of the note, for faults of fields */
export const refusalNote = (
  view: View,
  refused: Problem,
  told = faultsJson(view.t, faultsOf(refused)).map(({ detail }) => detail),
): Html => note("error", html`${told.map((each) => html`<p>${each}</p>`)}`, "alert");

export const pageAsked = (view: PageView): number => numberAsked(view, "page");

/** The file from a form; 413 if it is too large. */
export const bytesOfForm = async (view: PageView, limit: number): Promise<Uint8Array> =>
  (await formWithFile(view, limit)).bytes;

/** Leaves out empty fields, like other forms. */
export async function formWithFile({ c }: PageView, limit: number) {
  const chunks: Uint8Array[] = [];
  const fields = await readForm(c.req.raw, limit, {
    begin: () => undefined,
    async take(bytes) {
      chunks.push(bytes.slice());
    },
  });
  return { bytes: joinBytes(chunks), fields: new Map([...fields].filter(([, value]) => value !== "")) };
}
