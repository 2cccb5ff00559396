/** A medium: a file that belongs to an object, as the database knows it and as callers see it (contract §2.5, interface §6). */
import type { Entry } from "../records/record.ts";

export const CATEGORIES = ["image", "pdf", "audio", "video", "3d"] as const;
export type Category = (typeof CATEGORIES)[number];

/** `pending`: tiles are not made yet, which keeps nobody from the picture. `error`: they cannot be made. */
export const MEDIUM_STATES = ["pending", "ready", "error"] as const;
export type MediumState = (typeof MEDIUM_STATES)[number];

export const VISIBILITIES = ["public", "private"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/**
 * Bytes of the file that visitors do not get: `length` from `at`. In their place stand `bytes` (Base64), filled up with
 * zeros, so that every other byte stays where it is.
 */
export type PrivatePart = { at: number; length: number; bytes?: string };

/** What was found out about a file that has arrived. */
export type FileFacts = {
  width: number | null;
  height: number | null;
  pages: number | null;
  duration: number | null;
  private_parts: PrivatePart[];
};

export type Medium = {
  id: string;
  object_id: string;
  storage_key: string;
  filename: string;
  mime_type: string;
  category: Category;
  status: MediumState;
  error_detail: string | null;
  bytes: number;
  /** Of the file as it was sent, hexadecimal. */
  sha256: string;
  /** Pixels of the first page as it is seen: turned as its EXIF orientation says. */
  width: number | null;
  height: number | null;
  pages: number | null;
  /** Seconds of a film or a sound; null while it is not known. */
  duration: number | null;
  /** The tiled TIFF that image requests are answered from; null while there is none. */
  pyramid_key: string | null;
  private_parts: PrivatePart[];
  visibility: Visibility;
  is_primary: boolean;
  caption: Entry[];
  alt_text: Entry[];
  license_uri: string | null;
  rights_holder: string | null;
  /** From 1. */
  position: number;
  version: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
};
