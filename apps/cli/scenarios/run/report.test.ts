import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inWords, junitOf, summary } from './report.ts'
import type { Outcome } from './run.ts'

const passed: Outcome = { file: 'a.yaml', name: 'One', steps: 2, seconds: 0.25 }
const failed: Outcome = {
  file: 'b.yaml',
  name: 'Two <&>',
  steps: 3,
  seconds: 1,
  failure: {
    line: 7,
    column: 5,
    step: 2,
    step_name: 'The "second"',
    message: 'balance: expected 10, was 20\u0000',
  },
}

test('a scenario that failed is shown with its place, its step and the difference', () => {
  assert.equal(inWords(passed), '✓ One (2 steps, 0.3 s)')
  assert.equal(
    inWords(failed),
    [
      '✗ Two <&> (1.0 s)',
      '    b.yaml:7:5',
      '    step 2 of 3: The "second"',
      '    balance: expected 10, was 20\\u0000',
    ].join('\n'),
  )
  assert.equal(summary([passed]), '1 scenario: all passed')
  assert.equal(summary([passed, failed]), '2 scenarios: 1 failed')
})

test('JUnit XML counts failures, and has no character that XML has no place for', () => {
  assert.equal(
    junitOf([passed, failed]),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="1">
  <testsuite name="a.yaml" tests="1" failures="0" time="0.250">
    <testcase classname="a.yaml" name="One" time="0.250"/>
  </testsuite>
  <testsuite name="b.yaml" tests="1" failures="1" time="1.000">
    <testcase classname="b.yaml" name="Two &lt;&amp;&gt;" time="1.000">
      <failure message="balance: expected 10, was 20?">b.yaml:7:5
step 2 of 3: The &quot;second&quot;
balance: expected 10, was 20?</failure>
    </testcase>
  </testsuite>
</testsuites>
`,
  )
})
