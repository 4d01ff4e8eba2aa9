import { Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { Mail } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { When } from '../../parts/values.tsx'
import styles from './mails.module.css'

/** The mail as its plain text has it, with its links. */
export function ReadMail({ mail }: { mail: Mail }) {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  const { subject, to, text, created } = mail
  return (
    <>
      <button type="button" className={styles['subject']} onClick={open}>
        <bdi>{subject}</bdi>
      </button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={<bdi>{subject}</bdi>}
        size="lg"
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <Facts
          rows={[
            [t('operator.mails.to'), <bdi key="to">{to}</bdi>],
            [t('fields.created'), <When key="created" at={created} />],
          ]}
        />
        <div className={styles['text']} dir="auto">
          <Linked text={text} />
        </div>
      </Modal>
    </>
  )
}

const LINK = /(https?:\/\/[^\s<>"]+)/

/** Only links of this program are links here: a mail has no others. */
function Linked({ text }: { text: string }) {
  return text.split(LINK).map((part, at) => {
    const url = LINK.test(part) ? URL.parse(part) : null
    if (url === null || !url.pathname.startsWith('/console/')) return part
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text of a mail does not change.
      <a key={at} dir="ltr" href={`${url.pathname}${url.search}`}>
        {part}
      </a>
    )
  })
}
