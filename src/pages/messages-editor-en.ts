/** The editor and collections care in the pages for staff, in English. */

export const EDITOR_EN = {
  "editor.lookUp": "Look up",
  "editor.lookUp.title": "Look up in",
  "editor.lookUp.words": "Name to look up",
  "editor.lookUp.searching": "Searching …",
  "editor.lookUp.nothing": "The authority file has no such name.",
  "editor.lookUp.failed":
    "The authority file cannot be asked now. Try again later, or type the identifier yourself.",
  "editor.lookUp.taken": "Taken over:",
  "editor.cancel": "Cancel",
  "editor.draft": "This browser kept changes that you have not saved, of",
  "editor.draft.take": "Continue with them",
  "editor.draft.discard": "Throw them away",
  "editor.missing": "Before this record can be published, it needs:",
  "editor.suggested": "Did you mean",
  "care.printList": "Print the list",
  "care.noObjects": "No object is linked with this procedure yet. Add them below as links.",
  "care.gaps": "What this loan still lacks",
  "care.gap.objects": "Objects that are lent",
  "care.gap.partner": "A borrower or lender: link a person or organisation that takes part",
  "care.gap.due": "A due date",
  "care.gap.checks": "A condition check of the last twelve months for: {numbers}",
  "care.proposal": "By this procedure the collection status of these objects becomes “{status}”: {numbers}",
  "care.propose": "Set to “{status}”",
  "care.proposed": "The collection status is changed.",
  "care.card": "Print the object card",
  "care.label": "Print the label",
  "care.labelsBelow": "With those of all locations below",
  "care.back": "Back to the record",
  "care.print": "Print",
  "care.handedOver": "Handed over: date, name, signature",
  "care.received": "Received: date, name, signature",
  "care.objects.one": "{count} object",
  "care.objects.other": "{count} objects",
};

export type EditorMessages = Record<keyof typeof EDITOR_EN, string>;
