import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { User } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { NativeSelect } from '../../parts/fields.tsx'
import { KycRequests } from '../../parts/person/kyc_requests.tsx'
import { kycRequestsOf } from '../../parts/person/person.ts'
import { SimulateKyc } from './simulate.tsx'

const PRIMARY = 'UAE_INDIVIDUAL_PRIMARY'
const SECONDARY = 'UAE_INDIVIDUAL_SECONDARY'

/** The KYC requests of a user, and a new one where the user awaits it and none is open. */
export function Kyc({ user }: { user: User }) {
  const may = useMay()
  const { data } = useQuery(kycRequestsOf({ user }))
  const isOpen = data?.some(({ status }) => status === 'SUBMITTED') ?? true
  const isAwaited = user.status === 'PENDINGKYC' && !isOpen
  return (
    <KycRequests
      person={{ user }}
      actions={may('createKycRequest') && isAwaited && <RequestKyc user={user} />}
      of={(request) => <SimulateKyc request={request} />}
    />
  )
}

function RequestKyc({ user: { id, parent_user_id } }: { user: User }) {
  const { t } = useTranslation()
  const [kyc_policy, setPolicy] = useState<typeof PRIMARY | typeof SECONDARY>(PRIMARY)
  const act = (key: string) =>
    answered(issuing.kyc.createRequest(id, { kyc_policy }, { idempotencyKey: key }))
  return (
    <Act label={t('reviews.request_kyc')} text={t('reviews.request_kyc_text')} act={act}>
      <NativeSelect
        path="kyc_policy"
        label={t('reviews.policy_of_request')}
        // A secondary policy rests on the KYC of the parent.
        data={parent_user_id === undefined ? [PRIMARY] : [PRIMARY, SECONDARY]}
        value={kyc_policy}
        onChange={({ currentTarget }) =>
          setPolicy(currentTarget.value === SECONDARY ? SECONDARY : PRIMARY)
        }
      />
    </Act>
  )
}
