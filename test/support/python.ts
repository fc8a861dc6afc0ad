import { spawnSync } from 'node:child_process';

/** The first Python that has a module: the one on the path, or Debian's. Undefined when there is none. */
export function pythonWith(module: string): string | undefined {
  return ['python3', '/usr/bin/python3'].find(
    (program) => spawnSync(program, ['-c', `import ${module}`], { stdio: 'ignore' }).status === 0,
  );
}
