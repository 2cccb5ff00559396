/** The object stores on which the tests of media in a bucket run. */
import { notTried } from "../support/lane/skipped.ts";
import type { ObjectStore } from "./object-store.ts";
import { isSeaweedfsHere, openSeaweedfs, SEAWEEDFS_MISSING } from "./seaweedfs.ts";
import { isSwiftHere, openSwift, SWIFT_MISSING } from "./swift.ts";

/** Notes those that this machine lacks. */
export function objectStores(): { name: string; isHere: boolean; open(): Promise<ObjectStore> }[] {
  const seaweedfs = { name: "SeaweedFS", isHere: isSeaweedfsHere(), open: openSeaweedfs };
  const swift = { name: "OpenStack Swift", isHere: isSwiftHere(), open: openSwift };
  if (!seaweedfs.isHere) notTried(SEAWEEDFS_MISSING);
  if (!swift.isHere) notTried(SWIFT_MISSING);
  return [seaweedfs, swift];
}
