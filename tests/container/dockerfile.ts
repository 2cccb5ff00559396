/**
 * Follows a Dockerfile without Docker, in new root directories. This machine stands in for the base image, read-only:
 * its /usr, and the Node that runs this. Understands only the instructions that our Dockerfile uses, and refuses
 * others.
 */
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "../support/sources.ts";

/** The result of the last stage. */
export type Image = {
  /** Its root directory, without /usr, /proc, /dev and /tmp. */
  root: string;
  env: Record<string, string>;
  user: string;
  workdir: string;
  volumes: string[];
  healthcheck: string[];
  /** ENTRYPOINT and CMD. */
  command: string[];
  remove(): Promise<void>;
};

type Stage = Omit<Image, "command" | "remove"> & { entrypoint: string[]; cmd: string[] };

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export async function build(): Promise<Image> {
  const place = await mkdtemp(join(tmpdir(), "svc-image-"));
  const context = await contextOf(place);
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const [word, rest] of await instructions()) {
    if (word === "FROM") {
      const [image, , name = "last"] = rest.split(" ");
      if (!/^node:\d+\.\d+\.\d+-[a-z]+-slim$/.test(image!)) throw new Error(`${image} is not pinned`);
      stage = await baseImage(join(place, name));
      stages.set(name, stage);
    } else await perform(stage!, word, rest, context, stages);
  }
  const { entrypoint, cmd, ...image } = stage!;
  return {
    ...image,
    command: [...entrypoint, ...cmd],
    remove: () => rm(place, { recursive: true, force: true }),
  };
}

/** Lines joined with their continuations, without comments. */
async function instructions(): Promise<[word: string, rest: string][]> {
  const text = (await readFile(`${ROOT}Dockerfile`, "utf8")).replace(/^#.*\n/gm, "").replace(/\\\n\s*/g, "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);
}

/** What .dockerignore lets through: it excludes everything, then names exceptions. */
async function contextOf(place: string): Promise<string> {
  const [all, ...named] = (await readFile(`${ROOT}.dockerignore`, "utf8")).trim().split("\n");
  if (all !== "*" || named.some((line) => !line.startsWith("!")))
    throw new Error(".dockerignore is not as expected");
  const context = join(place, "context");
  for (const line of named)
    await cp(`${ROOT}${line.slice(1)}`, join(context, line.slice(1)), { recursive: true });
  return context;
}

async function perform(
  stage: Stage,
  word: string,
  rest: string,
  context: string,
  stages: ReadonlyMap<string, Stage>,
): Promise<void> {
  const inside = (path: string) => join(stage.root, path.startsWith("/") ? path : join(stage.workdir, path));
  if (word === "WORKDIR") {
    stage.workdir = rest;
    await mkdir(inside(rest), { recursive: true });
  } else if (word === "ENV")
    for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[name!] = value!;
  else if (word === "USER") stage.user = rest;
  else if (word === "VOLUME") stage.volumes = JSON.parse(rest) as string[];
  else if (word === "ENTRYPOINT") stage.entrypoint = JSON.parse(rest) as string[];
  else if (word === "CMD") stage.cmd = JSON.parse(rest) as string[];
  else if (word === "HEALTHCHECK")
    stage.healthcheck = JSON.parse(rest.slice(rest.indexOf("CMD ") + 4)) as string[];
  else if (word === "COPY") {
    const words = rest.split(" ");
    const from = words[0]!.startsWith("--from=") ? words.shift()!.slice("--from=".length) : null;
    const to = words.pop()!;
    const source = from === null ? context : stages.get(from)!.root;
    for (const path of words)
      await cp(join(source, path), to.endsWith("/") ? join(inside(to), path) : inside(to), {
        recursive: true,
        verbatimSymlinks: true,
      });
  } else if (word === "RUN") {
    const [program, ...args] = inRoot(stage, ["/bin/sh", "-c", rest], "build");
    const env = { ...process.env, npm_config_cache: "/npm", npm_config_prefer_offline: "true" };
    const { status, stdout, stderr } = spawnSync(program!, args, {
      env: { ...env, ...stage.env },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`RUN ${rest}\n${stdout}\n${stderr}`.slice(-4_000));
  } else if (word !== "EXPOSE") throw new Error(`${word} is not known here`);
}

/** What the base image contains, as far as it is needed: a user, and the directories of programs. */
async function baseImage(root: string): Promise<Stage> {
  const files = {
    "etc/passwd": "root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n",
    "etc/group": "root:x:0:\nnode:x:1000:\n",
    "etc/shadow": "root:*:1::::::\nnode:!:1::::::\n",
    "etc/gshadow": "root:*::\nnode:!::\n",
    "etc/hosts": "127.0.0.1 localhost\n",
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  for (const path of ["usr", "local/bin", "proc", "dev", "tmp", "root", "npm", "home/node", "etc/ssl"])
    await mkdir(join(root, path), { recursive: true });
  for (const path of ["bin", "sbin", "lib", "lib64"]) await symlink(`usr/${path}`, join(root, path));
  await cp(process.execPath, join(root, "local/bin/node"));
  return {
    root,
    env: { PATH },
    user: "0:0",
    workdir: "/",
    volumes: [],
    healthcheck: [],
    entrypoint: [],
    cmd: [],
  };
}

/**
 * The command line that runs `command` in the root of the image, as its user, in separate namespaces: with everything
 * that a build has, or as a container with read-only files. `volumes`: directories of this machine that replace those
 * of the image.
 */
export function inRoot(
  { root, user, workdir }: Pick<Image, "root" | "user" | "workdir">,
  command: readonly string[],
  how: "build" | "read-only",
  volumes: Readonly<Record<string, string>> = {},
): string[] {
  const [uid, gid] = user.split(":");
  const here = `${root}.mounted`;
  const script = [
    "set -e",
    `mkdir -p ${here}`,
    `mount --bind ${root} ${here}`,
    `mount --bind -o ro /usr ${here}/usr`,
    // the image's own programs
    `mount --bind ${root}/local ${here}/usr/local`,
    `mount --bind /etc/ssl ${here}/etc/ssl`,
    `mount -t proc proc ${here}/proc`,
    `mount --rbind /dev ${here}/dev`,
    `mount -t tmpfs -o mode=1777 tmpfs ${here}/tmp`,
    ...Object.entries(volumes).map(([path, directory]) => `mount --bind ${directory} ${here}${path}`),
    ...(how === "build"
      ? [`cp /etc/resolv.conf ${here}/etc/`, `mount --bind ${homedir()}/.npm ${here}/npm`]
      : [`mount -o remount,bind,ro ${here}`, `mount -o remount,bind,ro ${here}/usr/local`]),
    `exec env HOME=/tmp chroot ${here} setpriv --reuid=${uid} --regid=${gid} --clear-groups -- /bin/sh -c 'cd ${workdir}; exec "$@"' sh "$@"`,
  ];
  return [
    ...["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child"],
    ...["sh", "-c", script.join("\n"), "sh", ...command],
  ];
}
