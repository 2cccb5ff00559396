/** The editor in the pages for staff, in English. */

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
};

export type EditorMessages = Record<keyof typeof EDITOR_EN, string>;
