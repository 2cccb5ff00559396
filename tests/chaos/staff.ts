/** People who write: every answer goes into the ledger, and wrong input must be refused. */
import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Answer } from "../runtimes/started.ts";
import { inForm, jpeg } from "../support/museum/media.ts";
import { COMMON, type Entry, type Ledger, now, REFUSED, SECRET, type State } from "./ledger.ts";
import type { Options, Traffic } from "./traffic.ts";

const one = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)]!;
const text = (value: string) => [{ value }];
const metadata = (mark: string, note: string) => ({
  title: text(`${COMMON} ${mark}`),
  description: text(note),
  internal_note: text(`${SECRET} ${mark}`),
});

export class Editor {
  readonly #traffic: Traffic;
  readonly #ledger: Ledger;
  readonly #own: Entry[] = [];

  constructor(traffic: Traffic, ledger: Ledger) {
    this.#traffic = traffic;
    this.#ledger = ledger;
  }

  async work(): Promise<void> {
    while (!this.#traffic.over) {
      const entry = this.#own.length < 8 || Math.random() < 0.2 ? undefined : this.#ledger.any(this.#own);
      if (entry === undefined) await this.#create();
      else await this.#edit(entry);
    }
  }

  async #create(): Promise<void> {
    const mark = this.#ledger.word("mark");
    const note = this.#ledger.word("note");
    const json = { object_type: "print", metadata_: metadata(mark, note) };
    const answer = await this.#traffic.staff("/v1/objects", { json });
    if (answer === null) this.#ledger.unanswered.add(mark);
    else if (answer.status !== 201) this.#complain("a new record", answer);
    else {
      const { id, idno: number } = answer.json;
      const first: State = { note, status: "draft", deleted: false, linked: false, media: [] };
      const entry: Entry = { id, number, mark, versions: [first], maybe: [], moves: 0, images: [] };
      this.#ledger.entries.push(entry);
      this.#own.push(entry);
    }
  }

  async #edit(entry: Entry): Promise<unknown> {
    const state = now(entry);
    const path = `/v1/objects/${entry.id}`;
    const post = (end: string, next: Partial<State>) =>
      this.#change(entry, `${path}/${end}`, { method: "POST" }, next);
    if (state.deleted) return post("restore", { deleted: false });
    // the first record is linked to others, so it stays
    const anchor = this.#own[0]!;
    const can: ((entry: Entry) => Promise<unknown>)[] = [this.#patch, this.#patch, this.#rival, this.#refuse];
    if (state.status === "draft") can.push(() => post("publish", { status: "public" }));
    else
      can.push(() =>
        this.#change(entry, `${path}/status`, { json: { status: "draft" } }, { status: "draft" }),
      );
    if (entry !== anchor) {
      if (!state.linked) {
        const json = { relation_type: "related_to", to_type: "object", to_id: anchor.id };
        can.push(() => this.#change(entry, `${path}/relations`, { json }, { linked: true }));
        can.push(() => this.#change(entry, path, { method: "DELETE" }, { deleted: true }));
      }
      if (state.media.length < 2 && Math.random() < 0.5) can.push(this.#photograph);
    }
    return one(can).call(this, entry);
  }

  async #patch(entry: Entry): Promise<void> {
    const note = this.#ledger.word("note");
    const options = { method: "PATCH", json: { metadata_: { description: text(note) } } };
    const headers = { "If-Match": `"${entry.versions.length}"` };
    await this.#change(entry, `/v1/objects/${entry.id}`, { ...options, headers }, { note });
  }

  /** Two simultaneous changes based on the same version: at most one succeeds. */
  async #rival(entry: Entry): Promise<void> {
    const headers = { "If-Match": `"${entry.versions.length}"` };
    const nexts = [0, 1].map(() => ({ ...now(entry), note: this.#ledger.word("note") }));
    entry.moves += 1;
    const answers = await Promise.all(
      nexts.map(({ note }) =>
        this.#traffic.staff(`/v1/objects/${entry.id}`, {
          method: "PATCH",
          headers,
          json: { metadata_: { description: text(note) } },
        }),
      ),
    );
    const taken = nexts.filter((_, n) => answers[n]?.status === 200);
    if (taken.length > 1) this.#traffic.wrong.add(`${entry.number}: two changes of one version were taken`);
    if (taken.length > 0) entry.versions.push(taken[0]!);
    else entry.maybe = nexts.filter((_, n) => answers[n] === null);
    for (const answer of answers)
      if (answer && ![200, 412].includes(answer.status)) this.#complain("one of two changes", answer);
    entry.moves += 1;
  }

  /** Sends something that must be refused, for different reasons. */
  async #refuse(entry: Entry): Promise<void> {
    const path = `/v1/objects/${entry.id}`;
    const description = text(REFUSED);
    const title = text(REFUSED);
    const options: Options = one([
      { method: "PATCH", headers: { "If-Match": '"999"' }, json: { metadata_: { description } } },
      { method: "PATCH", json: { metadata_: { description, date: text("no date") } } },
      { json: { object_type: "print", idno: entry.number, metadata_: { title } } },
      { json: { object_type: REFUSED, metadata_: { title } } },
    ]);
    const answer = await this.#traffic.staff(options.method ? path : "/v1/objects", options);
    if (answer && ![409, 412, 422].includes(answer.status)) this.#complain("what should be refused", answer);
  }

  async #photograph(entry: Entry): Promise<void> {
    const bytes = await jpeg(700, 500);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const packed = new Response(inForm(bytes, "photograph.jpg"));
    const headers = { "Content-Type": packed.headers.get("Content-Type")! };
    const options = { method: "POST", headers, body: packed.body! };
    const media = [...now(entry).media, sha256];
    const answer = await this.#change(entry, `/v1/objects/${entry.id}/media`, options, { media });
    if (answer) entry.images.push(answer.json.media_id);
  }

  /** Asks for a change and notes the result. */
  async #change(
    entry: Entry,
    path: string,
    options: Options,
    change: Partial<State>,
  ): Promise<Answer | undefined> {
    const next = { ...now(entry), ...change };
    entry.moves += 1;
    const answer = await this.#traffic.staff(path, options);
    if (answer === null) entry.maybe = [next];
    else if (answer.status >= 300) this.#complain(`${options.method ?? "POST"} ${path}`, answer);
    else entry.versions.push(next);
    entry.moves += 1;
    return answer && answer.status < 300 ? answer : undefined;
  }

  #complain(what: string, { status, text }: Answer): void {
    this.#traffic.wrong.add(`${what} was answered with ${status} ${text.slice(0, 300)}`);
  }
}

const MAPPING = { number: "__idno__", title: "title", note: "description", private: "internal_note" };

/** Sends lists to be imported, and restarts imports that a crash has ended, as a person would. */
export async function importLists(traffic: Traffic, ledger: Ledger, everySeconds: number): Promise<void> {
  while (!traffic.over) {
    const name = ledger.word("list");
    const rows = 60;
    const lines = Array.from({ length: rows }, (_, n) => {
      const number = `IMP-${name}-${n}`;
      return `${number},${COMMON} ${name}r${n},note ${n},${SECRET}`;
    });
    const content = ["number,title,note,private", ...lines].join("\n");
    const job = await sendList(traffic, content, MAPPING);
    ledger.imports.push({ name, rows, job });
    if (job) await endOfJob(traffic, job, () => traffic.over);
    for (let left = everySeconds; left > 0 && !traffic.over; left--) await setTimeout(1_000);
  }
}

/** The id of its job; null when the answer was lost. */
export async function sendList(traffic: Traffic, content: string, mapping: unknown): Promise<string | null> {
  const form = new FormData();
  form.set("type", "object");
  form.set("mapping", JSON.stringify(mapping));
  form.set("auto_publish", "true");
  form.set("file", new File([content], "list.csv"));
  const packed = new Response(form);
  const headers = { "Content-Type": packed.headers.get("Content-Type")! };
  const answer = await traffic.staff("/v1/imports", { method: "POST", headers, body: packed.body! });
  if (answer && answer.status !== 202)
    traffic.wrong.add(`an import was refused: ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer?.status === 202 ? answer.json.job_id : null;
}

/** Waits for its end; answers how often somebody had to restart it. */
export async function endOfJob(traffic: Traffic, id: string, enough: () => boolean): Promise<void> {
  for (let retries = 0; retries < 20 && !enough(); ) {
    const job = await traffic.staff(`/v1/jobs/${id}`);
    if (job?.status === 404) traffic.wrong.add(`the job ${id} was acknowledged and is not there`);
    if (job?.status === 404 || job?.json.state === "done") return;
    if (job?.json.state === "failed") {
      retries += 1;
      await traffic.staff(`/v1/jobs/${id}/retry`, { method: "POST" });
    }
    await setTimeout(1_000);
  }
}
