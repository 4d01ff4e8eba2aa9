/** Every test of the suite; which of them there are does not depend on the runtime. */

import './answers.ts'
import './lists.ts'
import './retries.ts'
import './webhooks.ts'
import './transport.ts'
import './errors.ts'
import './issuing.ts'
import './shop.ts'
import './feed.ts'
import { runTests } from './harness.ts'

await runTests()
