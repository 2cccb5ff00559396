/** The commands of svc-manage, in the order of the help. Each is a file that is imported when the command runs. */
import type { CommandDef } from "citty";

export const PROGRAM = "svc-manage";

export const COMMANDS: Record<string, () => Promise<CommandDef>> = {
  serve: () => import("./serve.ts").then((file) => file.serve as CommandDef),
  demo: () => import("./demo.ts").then((file) => file.demo as CommandDef),
  work: () => import("./work.ts").then((file) => file.workCommand as CommandDef),
  jobs: () => import("./care/jobs.ts").then((file) => file.jobsCommand as CommandDef),
  migrate: () => import("./migrate.ts").then((file) => file.migrateCommand as CommandDef),
  reindex: () => import("./care/reindex.ts").then((file) => file.reindexCommand as CommandDef),
  rebuild: () => import("./care/rebuild.ts").then((file) => file.rebuildCommand as CommandDef),
  "search-verify": () => import("./care/search-verify.ts").then((file) => file.searchVerify as CommandDef),
  "aggregator-check": () =>
    import("./care/aggregator-check.ts").then((file) => file.aggregatorCheck as CommandDef),
  "ark-mint": () => import("./care/ark-mint.ts").then((file) => file.arkMint as CommandDef),
  backup: () => import("./backups/backup.ts").then((file) => file.backupCommand as CommandDef),
  restore: () => import("./backups/restore.ts").then((file) => file.restoreCommand as CommandDef),
  "media-move": () => import("./care/media-move.ts").then((file) => file.mediaMove as CommandDef),
  "media-verify": () => import("./care/media-verify.ts").then((file) => file.mediaVerify as CommandDef),
  "db-reset": () => import("./backups/db-reset.ts").then((file) => file.dbReset as CommandDef),
  doctor: () => import("./doctor.ts").then((file) => file.doctorCommand as CommandDef),
  config: () => import("./config.ts").then((file) => file.configCommand as CommandDef),
  "schema-export": () => import("./exports/schema-export.ts").then((file) => file.schemaExport as CommandDef),
  "schema-apply": () => import("./exports/schema-apply.ts").then((file) => file.schemaApply as CommandDef),
  dump: () => import("./care/dump.ts").then((file) => file.dumpCommand as CommandDef),
  export: () => import("./exports/export.ts").then((file) => file.exportCommand as CommandDef),
  "export-rdf": () => import("./exports/rdf.ts").then((file) => file.exportRdf as CommandDef),
  import: () => import("./imports/import.ts").then((file) => file.importCommand as CommandDef),
  "import-csv": () => import("./imports/csv.ts").then((file) => file.importCsv as CommandDef),
  "import-xml": () => import("./imports/xml.ts").then((file) => file.importXml as CommandDef),
  "import-lido": () => import("./imports/lido.ts").then((file) => file.importLido as CommandDef),
  "import-media": () => import("./imports/media.ts").then((file) => file.importMediaCommand as CommandDef),
  imports: () => import("./imports/imports.ts").then((file) => file.importsCommand as CommandDef),
  "import-undo": () => import("./imports/undo.ts").then((file) => file.importUndo as CommandDef),
  "reset-admin": () => import("./reset-admin.ts").then((file) => file.resetAdminCommand as CommandDef),
};
