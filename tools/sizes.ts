/** Prints how much JavaScript each page of the console loads, compressed: `node tools/sizes.ts`. */

import { readPageSizes } from './console_sizes.ts'

const sizes = readPageSizes()
if (!sizes) console.log('The console is not built: run node apps/console/build.ts')
for (const { page, bytes } of sizes ?? []) {
  console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${page}`)
}
