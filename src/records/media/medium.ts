/** A medium: a file of an object, as stored and as callers see it (contract §2.5, interface §6). */
import type { Entry } from "../record.ts";

export const CATEGORIES = ["image", "pdf", "audio", "video", "3d", "captions"] as const;
export type Category = (typeof CATEGORIES)[number];

/** `pending`: its tiles are not made yet, but the picture can already be seen. `error`: it cannot be decoded and is shown nowhere. */
export const MEDIUM_STATES = ["pending", "ready", "error"] as const;
export type MediumState = (typeof MEDIUM_STATES)[number];

export const VISIBILITIES = ["public", "private"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/**
 * Bytes of the file that visitors do not get: `length` from `at`. They are replaced by `bytes` (Base64), padded with
 * zeros, so that all other bytes keep their position.
 */
export type PrivatePart = { at: number; length: number; bytes?: string };

/** The analysis of an uploaded file. */
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
  /** Of the uploaded file, hexadecimal. */
  sha256: string;
  /** Pixels of the first page, after its EXIF orientation. */
  width: number | null;
  height: number | null;
  pages: number | null;
  /** Seconds of a film or a sound; null if unknown. */
  duration: number | null;
  /** The tiled TIFF for image requests; null if there is none. */
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
