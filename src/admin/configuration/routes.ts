/** The pages of the section "Configuration". */
import type { Api } from "../../http/endpoint.ts";
import type { Pages } from "../../pages/page.ts";
import { accountPages } from "./account.ts";
import { fieldPages } from "./fields.ts";
import { keyOfOthersRoutes } from "./keys.ts";
import { relationTypePages } from "./relation-types.ts";
import { rolePages } from "./roles.ts";
import { settingsPages } from "./settings.ts";
import { subtypePages } from "./subtypes.ts";
import { termMergePages } from "./term-merge.ts";
import { termPages } from "./terms.ts";
import { transferPages } from "./transfer.ts";
import { userPages } from "./users.ts";
import { vocabularyPages } from "./vocabularies.ts";

export function configurationPages(api: Api, pages: Pages): void {
  accountPages(api, pages);
  userPages(api, pages);
  keyOfOthersRoutes(api, pages);
  rolePages(api, pages);
  fieldPages(api, pages);
  subtypePages(api, pages);
  vocabularyPages(api, pages);
  termPages(api, pages);
  termMergePages(api, pages);
  relationTypePages(api, pages);
  settingsPages(api, pages);
  transferPages(api, pages);
}
