-- Why: what is known of the pictures, films, sounds, documents and models of objects (contract §2.5). The files themselves
-- lie under their keys in the store of files, and outlive a row for a while: a sweep finds those that no row names.

create table object_media (
  id uuid primary key,
  object_id uuid not null references records (id) on delete cascade,
  storage_key text not null unique,
  filename text not null check (filename <> '' and length(filename) <= 255),
  mime_type text not null,
  category text not null check (category in ('image', 'pdf', 'audio', 'video', '3d')),
  -- pending: tiles are not made yet, which keeps nobody from the picture; error: they cannot be made
  status text not null check (status in ('pending', 'ready', 'error')),
  error_detail text check ((error_detail is not null) = (status = 'error')),
  bytes bigint not null,
  -- of the file as it was sent
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- pixels of the first page as it is seen: turned as its EXIF orientation says
  width integer check (width > 0),
  height integer check (height > 0),
  pages integer check (pages > 0),
  pyramid_key text,
  -- what visitors do not get of the file (places, cameras, names): where it stands, and what stands there for them
  private_parts jsonb not null default '[]',
  visibility text not null check (visibility in ('public', 'private')),
  is_primary boolean not null default false,
  caption jsonb not null default '[]',
  alt_text jsonb not null default '[]',
  license_uri text,
  rights_holder text,
  position integer not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  deleted_at timestamptz,
  check ((width is null) = (height is null))
);

create index object_media_object on object_media (object_id, position);
create unique index object_media_primary on object_media (object_id) where is_primary and deleted_at is null;
create unique index object_media_once on object_media (object_id, sha256) where deleted_at is null;
create index object_media_sha256 on object_media (sha256);
create index object_media_pending on object_media (created_at) where status = 'pending' and deleted_at is null;
create index object_media_trash on object_media (deleted_at) where deleted_at is not null;

-- the history of an object tells of its media as it tells of its relations
alter table revisions drop constraint revisions_action_check;
alter table revisions add constraint revisions_action_check check (action in ('created', 'updated', 'status_changed',
  'deleted', 'restored', 'reverted', 'relation_added', 'relation_removed', 'media_added', 'media_changed',
  'media_removed', 'media_restored'));
