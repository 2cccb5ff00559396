/** The port for files that the operator names, which are read where they lie. */

/** What shows that a file is still the same; whole numbers as text. `modified`: nanoseconds since 1970. */
export type FileIdentity = { device: string; inode: string; size: string; modified: string };

export type NamedFile = {
  identity: FileIdentity;
  /** From the beginning. */
  stream(): ReadableStream<Uint8Array>;
  close(): Promise<void>;
};

/** Files anywhere on this machine, by paths that come from the operator alone. */
export type NamedFiles = {
  /** The data directory of an embedded database, or else this process: only it may open what it was told to open. */
  place: string;
  /** Null if this process may not read it, or it is not a regular file with an absolute path. Follows no link. */
  open(path: string): Promise<NamedFile | null>;
};
