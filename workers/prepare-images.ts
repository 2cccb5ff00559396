/** Checks new pictures and makes pyramids of large ones, one after the other, until none is left. */

import {
  beginPicture,
  countPending,
  leavePicture,
  type PendingPicture,
  setBroken,
  setReady,
} from "../src/iiif/pending.ts";
import { LONGEST_WITHOUT } from "../src/iiif/pyramid.ts";
import { enqueueJob } from "../src/jobs/enqueue.ts";
import { errorFields, type Log } from "../src/log.ts";
import { announceFile, removeFile } from "../src/media/care/orphans.ts";
import { keyOfPyramid } from "../src/media/keys.ts";
import { type Said, said } from "../src/messages/said.ts";
import { markChanged } from "../src/records/outbox.ts";
import type { Services, Sql } from "../src/services.ts";
import type { JobInput } from "./job-kind.ts";

/** The most attempts per picture, because a picture may crash the process. */
const MOST_ATTEMPTS = 3;
/** Seconds until a picture is tried again, if its file could not be read or written. */
const AGAIN = 600;

/** Runs every few seconds, so that no picture is forgotten after a kill or a restored backup. */
export async function prepareWhenPending({ sql }: Services): Promise<void> {
  if ((await countPending(sql)) === 0) return;
  await enqueueJob(sql, { kind: "prepare-images", createdBy: null, uniqueKey: "prepare-images" });
}

export async function prepareImages(input: JobInput): Promise<Record<string, unknown>> {
  const { services, signal, report, log } = input;
  let done = 0;
  let broken = 0;
  for (;;) {
    await report({ done, total: done + (await countPending(services.sql)) });
    const picture = await beginPicture(services.sql);
    if (picture === undefined) return { prepared: done - broken, broken };
    const isReady = await prepareOne(services, picture, signal, log);
    done += 1;
    if (!isReady) broken += 1;
  }
}

/** Returns whether the picture is ready. After an error that is not the picture's fault, it is tried again later. */
async function prepareOne(
  { sql, files, images, imageServer }: Services,
  picture: PendingPicture,
  signal: AbortSignal,
  log: Log,
): Promise<boolean> {
  const { id, attempt } = picture;
  if (attempt > MOST_ATTEMPTS) {
    await giveUp(sql, id, said("fault.picture.crashes", { count: MOST_ATTEMPTS }));
    return false;
  }
  const isLarge = Math.max(picture.width, picture.height) > LONGEST_WITHOUT;
  const pyramidKey = isLarge && imageServer === null ? keyOfPyramid(id) : null;
  try {
    if (pyramidKey !== null) await announceFile(sql, pyramidKey);
    if (!(await images.prepare(picture, pyramidKey))) {
      await giveUp(sql, id, said("fault.picture.undecodable"));
      return false;
    }
    const isThere = await setReady(sql, id, pyramidKey);
    if (!isThere && pyramidKey !== null) await removeFile({ sql, files }, pyramidKey);
    return true;
  } catch (error) {
    await leavePicture(sql, id, signal.aborted ? 0 : AGAIN);
    signal.throwIfAborted();
    log.error("a picture could not be prepared", { media_id: id, ...errorFields(error) });
    return false;
  }
}

/** Marks the picture as broken, so that it is shown nowhere. */
async function giveUp(sql: Sql, id: string, reason: Said): Promise<void> {
  await sql.begin(async (tx) => {
    await markChanged(tx, await setBroken(tx, id, reason), { by: "worker", hides: false });
  });
}
