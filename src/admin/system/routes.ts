/** The pages of the section "System". */
import type { Api } from "../../http/endpoint.ts";
import type { Pages } from "../../pages/page.ts";
import { backupPages } from "./backups.ts";
import { jobPages } from "./jobs.ts";
import { securityPages } from "./security.ts";

export function systemPages(api: Api, pages: Pages): void {
  jobPages(api, pages);
  backupPages(api, pages);
  securityPages(api, pages);
}
