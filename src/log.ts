/** The log: one line per event, readable on a terminal, JSON elsewhere. */

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Record<string, unknown>;
export type Log = Record<LogLevel, (message: string, fields?: LogFields) => void> & {
  /** A line of level info for an answered request, which may be written a little later, together with others. */
  request(fields: LogFields): void;
};
/** Writes one line. Returns false if it drops the line because the reader of the log is too slow. */
export type WriteLine = (line: string, mayWait?: boolean) => unknown;

const ORDER: Record<LogLevel, number> = { debug: 10, info: 20, warn: 30, error: 40 };

/**
 * What an error says. If none of several addresses of a host answers, the error itself says nothing: then what was said
 * for each address.
 */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

/** The complete error with its causes, for the log. Never sent to a caller. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  return {
    error: messageOf(error),
    ...("code" in error ? { code: error.code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: errorFields(error.cause) }),
  };
}

/** Dropped lines are counted, and the next line that is written says how many there were. */
export function createLog(options: {
  level: LogLevel;
  format: "pretty" | "json";
  write?: WriteLine;
  now?: () => Date;
}): Log {
  const write = options.write ?? ((line: string) => console.error(line));
  const now = options.now ?? (() => new Date());
  let dropped = 0;
  const put = (level: LogLevel, message: string, fields: LogFields, mayWait: boolean) => {
    const time = now().toISOString();
    const line =
      options.format === "json"
        ? JSON.stringify({ time, level, message, ...fields })
        : `${time.slice(11, 23)} ${level.padEnd(5)} ${message}${pretty(fields)}`;
    return write(line, mayWait) !== false;
  };
  const at =
    (level: LogLevel, mayWait = false) =>
    (message: string, fields: LogFields = {}) => {
      if (ORDER[level] < ORDER[options.level]) return;
      if (dropped > 0 && put("warn", "lines of the log were dropped", { lines: dropped }, mayWait))
        dropped = 0;
      if (!put(level, message, fields, mayWait)) dropped += 1;
    };
  const soon = at("info", true);
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    request: (fields) => soon("request", fields),
  };
}

function pretty(fields: LogFields): string {
  let text = "";
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (name === "stack") text += `\n${value}`;
    else text += `  ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`;
  }
  return text;
}
