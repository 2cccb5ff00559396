/** Starts the files of the long lane first, so that no worker waits at the end for a file that takes minutes. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

const LONG = /\/tests\/(chaos|container|long)\//;

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const rest = ({ moduleId }: TestSpecification) => Number(!LONG.test(moduleId));
    return sorted.sort((a, b) => group(a) - group(b) || rest(a) - rest(b));
  }
}
