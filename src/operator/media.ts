/** Operations on media files. */
import { z } from "zod";
import { OPERATOR } from "../caller.ts";
import { UUID } from "../ids.ts";
import { addFile, checksumsOf, countAwaited, placesOf, refusedUnread } from "../media/care/bulk.ts";
import { moveMedia } from "../media/care/move.ts";
import { recentRestore, throwAway } from "../media/care/trash.ts";
import { verifyMedia } from "../media/care/verify.ts";
import { type Said, said } from "../messages/said.ts";
import { VISIBILITIES } from "../records/media/medium.ts";
import { Refusal } from "../refusal.ts";
import { Nothing, operation, type Talk } from "./operation.ts";

/** Most file names in one input. */
export const MOST_NAMES = 2_000;
const Name = z.string().min(1).max(4_096);
const Names = z.array(Name).max(MOST_NAMES);
const Bytes = z.int().nonnegative();
const ObjectId = z.string().regex(UUID);

const Move = z.strictObject({ to: z.enum(["s3", "local"]), keep: z.boolean() });
/** `unlessRestored`: refuse within a week after a restore. */
const Verify = z.strictObject({ quick: z.boolean(), unlessRestored: z.boolean() });
const Sent = z.strictObject({
  path: Name,
  bytes: Bytes,
  objectId: ObjectId,
  visibility: z.enum(VISIBILITIES),
  dryRun: z.boolean(),
});

export type Compared = { media: number; ofMedia: number };
export type Moving = { files: number; bytes: number; ofBytes: number };

export const mediaOperations = {
  "media-verify": operation(
    Verify,
    async ({ sql, files }, { quick, unlessRestored }, { emit }: Talk<Compared>) => {
      const recent = unlessRestored ? await recentRestore(sql) : null;
      if (recent !== null) throw new Refusal(said("cli.media_verify.restored", recent));
      return verifyMedia({ sql, files, quick, report: emit });
    },
  ),

  "media-throw-away": operation(
    z.strictObject({ keys: Names }),
    (services, { keys }, { emit }: Talk<number>) => throwAway(services, keys, emit),
  ),

  "media-move": operation(
    Move,
    async ({ config, sql, localFiles, bucket }, { to, keep }, { emit, signal }: Talk<Moving>) => {
      if (bucket === null) throw new Refusal(said("cli.media_move.no_bucket"));
      if (config.storageBackend !== to) throw new Refusal(said("cli.media_move.other_place", { place: to }));
      const [source, target] = to === "s3" ? [localFiles, bucket] : [bucket, localFiles];
      return moveMedia({ sql, from: source, to: target, keep, signal, report: emit });
    },
  ),

  "media-places": operation(z.strictObject({ paths: Names }), ({ sql }, { paths }) =>
    placesOf(sql, OPERATOR, paths),
  ),

  "media-checksums": operation(
    z.strictObject({ objectId: ObjectId, bytes: Bytes }),
    ({ sql }, { objectId, bytes }) => checksumsOf(sql, objectId, bytes),
  ),

  /** The content is the file, or for a dry run its first bytes. */
  "media-add": operation(Sent, async (services, { dryRun, ...sent }, { content }): Promise<Said | null> => {
    if (dryRun) return refusedUnread(services, sent, content);
    return addFile(services, OPERATOR, sent, content);
  }),

  "media-awaited": operation(Nothing, ({ sql }) => countAwaited(sql)),
};
