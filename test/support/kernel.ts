import { kernelCode } from '../../scripts/kernel.js';

// Sources have no code of the kernel in them, as the program has it.
const code = kernelCode();
const global: { KERNEL_CODE?: string } = Object.assign(globalThis, { KERNEL_CODE: code });

/** Reads answers as where there is no WebAssembly: event by event. */
export async function withoutKernel<T>(work: () => Promise<T>): Promise<T> {
  delete global.KERNEL_CODE;
  try {
    return await work();
  } finally {
    global.KERNEL_CODE = code;
  }
}
