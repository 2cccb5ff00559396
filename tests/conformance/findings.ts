export class Findings {
  failed = false;

  judged(what: string, faults: readonly string[]): void {
    console.log(`${faults.length === 0 ? "conforms" : "DOES NOT CONFORM"}: ${what}`);
    for (const fault of faults) console.log(`  ${fault}`);
    if (faults.length > 0) this.failed = true;
  }

  notChecked(what: string, because: string): void {
    console.log(`not checked: ${what} (${because})`);
  }
}
