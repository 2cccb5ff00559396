/** Looks new pictures through, and makes the pyramids of the large ones: one after the other, as long as there are any. */
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
import { keyOfPyramid } from "../src/media/keys.ts";
import type { Services } from "../src/services.ts";
import type { JobInput } from "./job-kind.ts";

/** So often is a picture begun: a process that dies over it says nothing of why. */
const MOST_ATTEMPTS = 3;
/** Seconds after which one is tried again whose file could not be read or written. */
const AGAIN = 600;
const BROKEN = "The picture cannot be decoded to its end: send it again, or save it anew";
const GIVEN_UP = `The service died ${MOST_ATTEMPTS} times while it read this picture: send a smaller one, or save it anew`;

/** Asked every few seconds, so that neither a kill nor a restored backup leaves a picture behind. */
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

/** Whether the picture is ready. What else goes wrong is tried again later, since it will be over. */
async function prepareOne(
  { sql, files, images, imageServer }: Services,
  picture: PendingPicture,
  signal: AbortSignal,
  log: Log,
): Promise<boolean> {
  const { id, attempt } = picture;
  if (attempt > MOST_ATTEMPTS) {
    await setBroken(sql, id, GIVEN_UP);
    return false;
  }
  const isLarge = Math.max(picture.width, picture.height) > LONGEST_WITHOUT;
  const pyramidKey = isLarge && imageServer === null ? keyOfPyramid(id) : null;
  try {
    if (!(await images.prepare(picture, pyramidKey))) {
      await setBroken(sql, id, BROKEN);
      return false;
    }
    const isThere = await setReady(sql, id, pyramidKey);
    if (!isThere && pyramidKey !== null) await files.remove(pyramidKey);
    return true;
  } catch (error) {
    await leavePicture(sql, id, signal.aborted ? 0 : AGAIN);
    signal.throwIfAborted();
    log.error("a picture could not be prepared", { media_id: id, ...errorFields(error) });
    return false;
  }
}
