/** Problem pages for staff: in the layout of the staff interface, with labels of fields. */
import type { StaffProblems } from "../pages/problem-pages.ts";
import { KINDS } from "../records/kinds.ts";
import { currentSchema } from "../records/schema.ts";
import type { Services } from "../services.ts";
import { faultsOf } from "./asked.ts";
import { faultsPlainly } from "./field-names.ts";
import { problemLayout } from "./layout.ts";
import { listPath } from "./sections.ts";

export const staffProblems = ({ sql }: Services): StaffProblems => ({
  layout: problemLayout,
  async faults(path, view, problem) {
    const kind = KINDS.find((each) => path.startsWith(`${listPath(each)}/`));
    return kind ? faultsPlainly(view, await currentSchema(sql), kind, faultsOf(problem)) : null;
  },
});
