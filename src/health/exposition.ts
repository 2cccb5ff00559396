/** The text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4. */

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export type Sample = { suffix?: string; labels?: Readonly<Record<string, string>>; value: number };

/** One metric with all its samples; empty without samples. The ending of `name` is its unit, such as `_seconds`. */
export function metric(
  name: string,
  type: "counter" | "gauge" | "histogram",
  help: string,
  samples: readonly Sample[],
): string {
  if (samples.length === 0) return "";
  const lines = samples.map(
    ({ suffix = "", labels, value }) => `${name}${suffix}${written(labels)} ${number(value)}`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("\n")}\n`;
}

function written(labels: Readonly<Record<string, string>> | undefined): string {
  if (!labels) return "";
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return `{${pairs.join(",")}}`;
}

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const number = (value: number): string => (value === Number.POSITIVE_INFINITY ? "+Inf" : String(value));
