/** The result of a run, in words and as JUnit XML. Pure. */

import { visible } from '../../kit/text.ts'
import type { Outcome } from './run.ts'

const MARKS = { passed: '✓', failed: '✗' }

/** One scenario: a line, and the first difference below it. */
export function inWords({ file, name, steps, seconds, failure }: Outcome): string {
  const time = `${seconds.toFixed(1)} s`
  if (!failure) return `${MARKS.passed} ${visible(name)} (${steps} steps, ${time})`
  const { line, column, step, step_name, message } = failure
  return [
    `${MARKS.failed} ${visible(name)} (${time})`,
    `    ${file}:${line}:${column}`,
    `    step ${step} of ${steps}: ${visible(step_name)}`,
    `    ${visible(message)}`,
  ].join('\n')
}

export function summary(outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(({ failure }) => failure).length
  const all = `${outcomes.length} scenario${outcomes.length === 1 ? '' : 's'}`
  return failed === 0 ? `${all}: all passed` : `${all}: ${failed} failed`
}

/** The form that CI systems read: a suite for each file, with one case. */
export function junitOf(outcomes: readonly Outcome[]): string {
  const failures = outcomes.filter(({ failure }) => failure).length
  const counts = `tests="${outcomes.length}" failures="${failures}"`
  const suites = outcomes.map(({ file, name, steps, seconds, failure }) => {
    const time = seconds.toFixed(3)
    const failed = failure ? 1 : 0
    const fault = failure && [
      `      <failure message="${escaped(failure.message)}">`,
      escaped(`${file}:${failure.line}:${failure.column}\n`),
      escaped(`step ${failure.step} of ${steps}: ${failure.step_name}\n`),
      `${escaped(failure.message)}</failure>\n`,
    ]
    return [
      `  <testsuite name="${escaped(file)}" tests="1" failures="${failed}" time="${time}">\n`,
      `    <testcase classname="${escaped(file)}" name="${escaped(name)}" time="${time}"`,
      fault ? `>\n${fault.join('')}    </testcase>\n` : '/>\n',
      '  </testsuite>\n',
    ].join('')
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<testsuites ${counts}>\n`,
    ...suites,
    '</testsuites>\n',
  ].join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** XML 1.0 has no place for other control characters. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
