/**
 * How much JavaScript each page of the console loads, compressed, in kB: until it can be used, and
 * in all.
 *
 *     node tools/sizes.ts
 */

import { readPageSizes } from './console_sizes.ts'

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(7)

const sizes = readPageSizes()
if (!sizes) console.log('The console is not built: run node apps/console/build.ts')
for (const { page, first, whole } of sizes ?? []) {
  console.log(`${kilobytes(first)} ${kilobytes(whole)}  ${page}`)
}
