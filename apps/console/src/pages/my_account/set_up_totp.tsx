import { Button, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import { queries } from '../../api/session.ts'
import type { TotpSecret } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { CopyField } from '../../parts/copy.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { NotDone } from '../../parts/not_done.tsx'
import { doneText } from '../../parts/said.ts'
import { codeOf } from '../../parts/typed_text.ts'
import { useAction } from '../../parts/use_action.ts'
import styles from './my_account.module.css'
import { given, OwnPassword } from './own_password.tsx'
import { QrPicture } from './qr_picture.tsx'

type SetUpTotpProps = { onDone: (recovery_codes: readonly string[]) => void }

/** Asks for the password and a secret, shows it for the authenticator, and takes the first code of it. */
export function SetUpTotp({ onDone }: SetUpTotpProps) {
  const { t } = useTranslation()
  const [made, setMade] = useState<TotpSecret>()
  const [password, setPassword] = useState('')
  const act = (key: string) =>
    answered(portal.secondFactors.createTotp(given(password), { idempotencyKey: key }))
  const begin = (secret: TotpSecret) => {
    setPassword('')
    setMade(secret)
  }
  const end = () => setMade(undefined)
  return (
    <>
      <Act
        label={t('me.set_up_totp')}
        text={t('me.set_up_text')}
        act={act}
        onDone={begin}
        submit={t('actions.continue')}
        isMain
      >
        <OwnPassword value={password} onChange={setPassword} mayBeFirst />
      </Act>
      <Modal
        opened={made !== undefined}
        onClose={end}
        title={t('me.set_up_totp')}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        {made && (
          <Enrol
            made={made}
            onDone={(codes) => {
              end()
              onDone(codes)
            }}
          />
        )}
      </Modal>
    </>
  )
}

type EnrolProps = { made: TotpSecret; onDone: (recovery_codes: readonly string[]) => void }

function Enrol({ made: { secret, uri }, onDone }: EnrolProps) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const confirming = useAction({
    act: (key) =>
      answered(portal.secondFactors.confirmTotp({ code: codeOf(code) }, { idempotencyKey: key })),
    said: () => doneText(t('me.set_up_totp'), undefined),
    onDone: async ({ recovery_codes }: { recovery_codes: readonly string[] }) => {
      onDone(recovery_codes)
      await queries.invalidateQueries()
    },
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    confirming.press()
  }
  return (
    <form onSubmit={send} className={styles['enrol']}>
      <p>{t('me.scan')}</p>
      <QrPicture text={uri} label={t('me.picture')} />
      <CopyField label={t('me.secret')} text={secret} />
      <TextInput
        path="code"
        label={t('account.code')}
        description={t('me.code_hint')}
        dir="ltr"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <NotDone of={confirming} />
      <Button type="submit" loading={confirming.isPending}>
        {t('account.verify')}
      </Button>
    </form>
  )
}
