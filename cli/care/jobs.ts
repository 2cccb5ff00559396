/** svc-manage jobs: lists, shows, cancels and retries jobs. */

import { defineCommand } from "citty";
import { UUID } from "../../src/ids.ts";
import { isOver, JOB_STATES, type Job, jobJson } from "../../src/jobs/job.ts";
import { JOB_KIND_NAMES, titleOf } from "../../src/jobs/kinds.ts";
import { said, sayAll, toldFrom } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { type Filter, MOST_LISTED } from "../../src/operator/jobs.ts";
import { Refusal } from "../../src/refusal.ts";
import { type Door, knock, withDoor } from "../catalogue/door.ts";
import { demandOneOf } from "../terminal/one-of.ts";
import { argument, flag, meta, option } from "../terminal/options.ts";
import { inWords, words } from "../terminal/words.ts";

const ACTIONS = ["list", "show", "cancel", "retry"];

export const jobsCommand = defineCommand({
  meta: meta("jobs", "cli.help.jobs.about", { count: MOST_LISTED }),
  args: {
    action: { type: "positional", required: false, default: "list", description: ACTIONS.join(", ") },
    id: { ...argument("cli.help.jobs.id"), required: false },
    kind: option("KIND", "cli.help.jobs.kind", { known: JOB_KIND_NAMES.join(", ") }),
    state: option("STATE", "cli.help.jobs.state", { known: JOB_STATES.join(", ") }),
    json: flag("cli.help.jobs.json"),
  },
  async run({ args: { action, id, kind, state, json } }) {
    demandKnown("action", action, ACTIONS);
    if (kind !== undefined) demandKnown("kind", kind, JOB_KIND_NAMES);
    if (state !== undefined) demandKnown("state", state, JOB_STATES);
    if (action === "list" && id !== undefined) {
      throw new Refusal(said("cli.jobs.list_no_id"), 2);
    }
    if (action !== "list" && !UUID.test(id ?? "")) {
      throw new Refusal(said("cli.jobs.needs_id", { action }), 2);
    }
    return withDoor(knock(), async (door) => {
      if (action === "list") {
        const jobs = await door.call("jobs", { kind, state } as Filter);
        const lines =
          jobs.length > 0
            ? jobs.map(lineOf)
            : [inWords(said(kind || state ? "cli.jobs.no_such" : "cli.jobs.none"))];
        console.log(json ? JSON.stringify(jobs.map((job) => jobJson(ENGLISH, job))) : lines.join("\n"));
      } else {
        const job = await changed(door, action, id!);
        console.log(json ? JSON.stringify(jobJson(ENGLISH, job)) : pageOf(job));
      }
      return 0;
    });
  },
});

const demandKnown = (name: "action" | "kind" | "state", value: string, all: readonly string[]) =>
  demandOneOf(value, all, (known) => said(`cli.jobs.no_${name}`, { value, known }));

async function changed(door: Door, action: string, id: string): Promise<Job> {
  if (action !== "show") return door.call(action === "cancel" ? "cancel-job" : "retry-job", { id });
  const job = await door.call("job", { id });
  if (!job) throw new Refusal(said("cli.jobs.not_found", { id }));
  return job;
}

function lineOf(job: Job): string {
  const { id, kind, state, created_at, reason } = job;
  const far = state === "running" || state === "done" ? `  ${farOf(job)}` : "";
  return `${id}  ${created_at.slice(0, 16)}  ${state.padEnd(9)}  ${kind}${far}${reason ? `  ${inWords(toldFrom(reason))}` : ""}`;
}

const farOf = ({ done, total }: Job): string => (total === null ? `${done}` : `${done}/${total}`);

function pageOf(job: Job): string {
  const isStopping = job.cancel_requested && !isOver(job);
  const state = isStopping ? `${job.state}, ${words()("jobs.stopping")}` : job.state;
  const rows: [string, string | null][] = [
    ["job", job.id],
    ["kind", `${job.kind}${words()("form.colon")} ${inWords(titleOf(job.kind))}`],
    ["state", state],
    ["done", farOf(job)],
    ["attempts", String(job.attempts)],
    ["reason", job.reason && inWords(toldFrom(job.reason))],
    ["created", job.created_at],
    ["started", job.started_at],
    ["ended", job.finished_at],
    ["params", JSON.stringify(job.params)],
    ["result", job.result && JSON.stringify(sayAll(words(), job.result))],
    ...job.messages.map(({ at, text }): [string, string] => [at.slice(11, 19), inWords(text)]),
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(10)}${value}`])).join("\n");
}
