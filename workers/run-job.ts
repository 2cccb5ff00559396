/** One run of one job: its reports, its signal, and its end. */

import { isUnreachable } from "../src/http/requests.ts";
import {
  type ClaimedJob,
  endCancelled,
  failJob,
  finishJob,
  giveJobBack,
  type Progress,
  putOffJob,
  saveProgress,
} from "../src/jobs/queue.ts";
import { errorFields, type Log, type LogLevel } from "../src/log.ts";
import { said, say, type Told } from "../src/messages/said.ts";
import { ENGLISH } from "../src/messages/translate.ts";
import { Problem } from "../src/problem.ts";
import { Refusal } from "../src/refusal.ts";
import type { Services } from "../src/services.ts";
import type { JobKindWork, Remember, Report } from "./job-kind.ts";
import type { Timing } from "./timing.ts";

const WHY = {
  cancelled: "it was cancelled",
  stopping: "the process stops",
  lost: "its lease was lost",
  silent: "it reported nothing for too long",
} as const;

/** The abort reason of the signal that stops a job. */
export class StopJob extends Error {
  override readonly name = "StopJob";
  readonly why: keyof typeof WHY;

  constructor(why: keyof typeof WHY) {
    super(`The job must stop: ${WHY[why]}`);
    this.why = why;
  }
}

export const wasCancelled = ({ reason }: AbortSignal): boolean =>
  reason instanceof StopJob && reason.why === "cancelled";

/** A report that does not throw if the job was cancelled, so that the job can finish its step and report what it did. */
export const toNextStep =
  (report: Report, signal: AbortSignal): Report =>
  (progress) =>
    report(progress).catch((error) => {
      if (!wasCancelled(signal)) throw error;
    });

export type Run = {
  readonly job: ClaimedJob;
  /** Tells the job to stop; the first reason counts. */
  stop(why: keyof typeof WHY): void;
  /** Stops a job that has gone silent; returns whether it did not stop when it was told to. */
  hangs(): boolean;
  /** Resolves when the job has ended: true if the end was written. Never rejects. */
  ended: Promise<boolean>;
};

/** Milliseconds between two writes of the progress. */
const REPORT_MS = 500;
const AGAIN_MS = 1_000;

/** @param orphaned whether the last process that ran the job died */
export function beginJob(
  services: Services,
  work: JobKindWork,
  job: ClaimedJob,
  timing: Timing,
  orphaned: boolean,
): Run {
  const { sql } = services;
  const { lease, attempts } = job;
  const log = withFields(services.log, { job: job.id, kind: job.kind, attempt: attempts });
  const ending = new AbortController();
  const { signal } = ending;
  const latest: Progress = {};
  let lastReportAt = performance.now();
  let writtenAt = Number.NEGATIVE_INFINITY;
  let stopRequestedAt = 0;

  const stop: Run["stop"] = (why) => {
    if (signal.aborted) return;
    stopRequestedAt = performance.now();
    ending.abort(new StopJob(why));
  };

  const report: Report = async ({ message, ...progress }) => {
    lastReportAt = performance.now();
    // before a stop, too: the end of the job is written with the latest progress
    Object.assign(latest, progress);
    signal.throwIfAborted();
    if (message === undefined && lastReportAt - writtenAt < REPORT_MS) return;
    writtenAt = lastReportAt;
    const shown = { ...latest, ...(message === undefined ? {} : { message }) };
    const kept = await saveProgress(sql, lease, shown).catch((error) => {
      // an unreachable database must not stop the work; if the lease is lost, the loop notices
      if (!isUnreachable(error)) throw error;
      return { cancel: false };
    });
    if (!kept) stop("lost");
    else if (kept.cancel) stop("cancelled");
    signal.throwIfAborted();
  };

  const remember: Remember = async (tx, result) => {
    latest.result = result;
    const kept = await saveProgress(tx, lease, { result });
    if (!kept) stop("lost");
    signal.throwIfAborted();
  };

  async function end(): Promise<boolean> {
    if (job.cancel_requested) {
      await abandon();
      return endCancelled(sql, lease, latest);
    }
    if (orphaned && work.orphan !== undefined) return failJob(sql, lease, work.orphan(job), {});
    if (attempts > work.retries + 1) {
      await abandon();
      return failJob(sql, lease, said("job.died", { attempt: String(attempts - 1) }), latest);
    }
    try {
      const result = await work.run({
        services,
        id: job.id,
        params: job.params,
        signal,
        report,
        remember,
        log,
      });
      return await retrying(() => finishJob(sql, lease, result, latest));
    } catch (error) {
      return retrying(() => endBadly(error));
    }
  }

  /** If this fails, the job still ends. */
  async function abandon(): Promise<void> {
    await work.abandon?.(services, job.id).catch((error) => {
      log.error("the temporary data of a job could not be deleted", errorFields(error));
    });
  }

  async function endBadly(error: unknown): Promise<boolean> {
    const why = signal.reason instanceof StopJob ? signal.reason.why : null;
    if (why === "lost") return false;
    if (why === "cancelled") {
      await abandon();
      return endCancelled(sql, lease, latest);
    }
    if (why === "stopping") return giveJobBack(sql, lease);
    const reason = why === "silent" ? said("job.silent") : reasonOf(error);
    const final = isFinal(error) || attempts > work.retries;
    // no operator can mend a wrong request, or an import that was started again meanwhile
    const isOfRequest = error instanceof Problem && isFinal(error);
    log[final && !isOfRequest ? "error" : "warn"](final ? "job failed" : "job failed; it is retried later", {
      reason: say(ENGLISH, reason),
      ...(isFinal(error) || why ? {} : errorFields(error)),
    });
    if (final) await abandon();
    return final ? failJob(sql, lease, reason, latest) : putOffJob(sql, lease, reason, timing.retrySeconds);
  }

  /** Retries while the database is unreachable. */
  async function retrying(write: () => Promise<boolean>): Promise<boolean> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        const gone = signal.reason instanceof StopJob && signal.reason.why !== "cancelled";
        if (!isUnreachable(error) || gone) throw error;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }

  const begun = performance.now();
  const ended = end().then(
    (isWritten) => {
      const ms = Math.round(performance.now() - begun);
      if (isWritten) log.info("job ended", { ms });
      else log.warn("job ended without its lease: another process has taken it", { ms });
      return isWritten;
    },
    (error) => {
      log.error("the end of a job could not be written", errorFields(error));
      return false;
    },
  );
  return {
    job,
    stop,
    hangs() {
      const now = performance.now();
      if (now - lastReportAt > (work.longestSilenceMs ?? timing.longestSilenceMs)) stop("silent");
      return signal.aborted && now - stopRequestedAt > timing.hangsAfterMs;
    },
    ended,
  };
}

/** Whether a retry cannot help, because the request itself is wrong. */
function isFinal(error: unknown): error is Problem | Refusal {
  return error instanceof Refusal || (error instanceof Problem && error.status < 500);
}

/** What those who may read the job are told: the messages of our own errors, but only the code of others. */
function reasonOf(error: unknown): Told {
  if (error instanceof Problem || error instanceof Refusal) return error.told;
  const code = (error as { code?: unknown } | null)?.code;
  const isShown = typeof code === "string" && /^[A-Z0-9_]{2,40}$/.test(code);
  return isShown ? said("job.broke_with", { code }) : said("job.broke");
}

function withFields(log: Log, fields: Record<string, unknown>): Log {
  const at =
    (level: LogLevel): Log["info"] =>
    (message, more = {}) =>
      log[level](message, { ...fields, ...more });
  return { ...log, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
