import { Button, Kbd, Modal, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { setKeys, useAreKeysOn, useKeys } from './keys.ts'
import styles from './keys_help.module.css'

export type KeyGroup = { title: string; keys: readonly (readonly [key: string, text: string])[] }

/** The keys of a page, in a dialog that the key `?` opens too. */
export function KeysHelp({ groups }: { groups: readonly KeyGroup[] }) {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  const isOn = useAreKeysOn()
  useKeys({ '?': open })
  return (
    <>
      <Button
        variant="default"
        visibleFrom="md"
        leftSection={<IconKeyboard size={16} aria-hidden />}
        onClick={open}
        aria-keyshortcuts="?"
      >
        {t('reviews.keys.button')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('reviews.keys.title')}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <div className={styles['groups']}>
          {groups.map(({ title, keys }) => (
            <section key={title}>
              <h3 className={styles['title']}>{title}</h3>
              <dl className={styles['keys']}>
                {keys.map(([key, text]) => (
                  <div key={key}>
                    <dt>
                      <Kbd dir="ltr">{key}</Kbd>
                    </dt>
                    <dd>{text}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
          <Switch
            label={t('reviews.keys.on')}
            description={t('reviews.keys.on_text')}
            checked={isOn}
            onChange={({ currentTarget }) => setKeys(currentTarget.checked)}
          />
        </div>
      </Modal>
    </>
  )
}
