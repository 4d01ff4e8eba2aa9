// Runs before `npm start` on whatever Node the machine has, so it is plain JavaScript: older ones
// cannot read TypeScript and would fail with a message that does not help.
const OLDEST = 24
if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  process.stderr.write(
    `bezant cannot start: Node.js ${process.versions.node} is too old: use ${OLDEST} or later\n`,
  )
  process.exitCode = 1
}
