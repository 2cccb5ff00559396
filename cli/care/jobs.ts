/** svc-manage jobs: lists, shows, cancels and retries jobs. */

import { defineCommand } from "citty";
import { UUID } from "../../src/ids.ts";
import { isOver, JOB_STATES, type Job, jobJson } from "../../src/jobs/job.ts";
import { JOB_KIND_NAMES, titleOf } from "../../src/jobs/kinds.ts";
import { said, sayAll, toldFrom } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { type Filter, MOST_LISTED } from "../../src/operator/jobs.ts";
import { Refusal } from "../../src/refusal.ts";
import { nearest, withNear } from "../../src/text/nearest.ts";
import { type Door, knock } from "../catalogue/door.ts";
import { openCommandConfig } from "../catalogue/open.ts";
import { help, inWords, words } from "../terminal/words.ts";

const ACTIONS = ["list", "show", "cancel", "retry"];

export const jobsCommand = defineCommand({
  meta: {
    name: "jobs",
    description: help("cli.help.jobs.about", { count: MOST_LISTED }),
  },
  args: {
    action: { type: "positional", required: false, default: "list", description: ACTIONS.join(", ") },
    id: { type: "positional", required: false, description: help("cli.help.jobs.id") },
    kind: {
      type: "string",
      valueHint: "KIND",
      description: help("cli.help.jobs.kind", { known: JOB_KIND_NAMES.join(", ") }),
    },
    state: {
      type: "string",
      valueHint: "STATE",
      description: help("cli.help.jobs.state", { known: JOB_STATES.join(", ") }),
    },
    json: { type: "boolean", default: false, description: help("cli.help.jobs.json") },
  },
  async run({ args: { action, id, kind, state, json } }) {
    demandOneOf("action", action, ACTIONS);
    if (kind !== undefined) demandOneOf("kind", kind, JOB_KIND_NAMES);
    if (state !== undefined) demandOneOf("state", state, JOB_STATES);
    if (action === "list" && id !== undefined) {
      throw new Refusal(said("cli.jobs.list_no_id"), 2);
    }
    if (action !== "list" && !UUID.test(id ?? "")) {
      throw new Refusal(said("cli.jobs.needs_id", { action }), 2);
    }
    const door = await knock(openCommandConfig());
    try {
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
    } finally {
      await door.close();
    }
    return 0;
  },
});

function demandOneOf(name: "action" | "kind" | "state", value: string, all: readonly string[]): void {
  if (all.includes(value)) return;
  const fault = said(`cli.jobs.no_${name}`, { value, known: all.join(", ") });
  throw new Refusal(withNear(fault, nearest(value, all)), 2);
}

/** The job after the action. */
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
    ["kind", `${job.kind}: ${inWords(titleOf(job.kind))}`],
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
