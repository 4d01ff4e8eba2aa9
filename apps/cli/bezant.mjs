#!/usr/bin/env node
// Runs on whatever Node the machine has, so it is plain JavaScript: older ones cannot read
// TypeScript and would fail with a message that does not help.
const OLDEST = 24
if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  process.stderr.write(
    `bezant: Node.js ${process.versions.node} is too old: use ${OLDEST} or later\n`,
  )
  process.exitCode = 1
} else {
  const { main } = await import('./main.ts')
  process.exitCode = await main(process.argv.slice(2))
}
