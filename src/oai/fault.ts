/** Errors of OAI-PMH (https://www.openarchives.org/OAI/2.0/openarchivesprotocol.htm#ErrorConditions), which are answered with HTTP 200. */

type FaultCode =
  | "badArgument"
  | "badResumptionToken"
  | "badVerb"
  | "cannotDisseminateFormat"
  | "idDoesNotExist"
  | "noMetadataFormats"
  | "noRecordsMatch";

export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  /** The time of the answer, if the next harvest starts from it. */
  readonly date: string | undefined;

  constructor(code: FaultCode, message: string, date?: string) {
    super(message);
    this.code = code;
    this.date = date;
  }
}
