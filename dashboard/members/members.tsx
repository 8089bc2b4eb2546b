import { useEffect, useState } from 'preact/hooks';
import { closeDialog, openDialog, openDialogName } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { Button } from '../components/button.tsx';
import { Ledger, RowMenu } from '../components/ledger.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { may, me } from '../data/session-state.ts';
import { notify } from '../data/undo.ts';
import { describeRestrictions } from '../fields/restrictions.tsx';
import { longDate, relative } from '../texts/format.ts';
import { InviteDialog } from './invite.tsx';
import { AddressDialog, language, type Mailed } from './link-dialog.tsx';
import { RemoveDialog } from './remove.tsx';
import { RoleDialog } from './role.tsx';
import { t } from './texts.ts';
import type { Invitation, Member } from './types.ts';

/** Returns true if the server can send email. Returns false until this is known. */
function useSendsMail(isAsked: boolean): boolean {
  const [sendsMail, setSendsMail] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    api.getSignInWays().then(
      ({ mail }) => setSendsMail(mail),
      () => {},
    );
  }, [isAsked]);
  return sendsMail;
}

/** Creates sign-in links. Keeps the most recent link, to show it in a dialog. */
function useSignInLink() {
  const [link, setLink] = useState<{
    readonly name: string;
    readonly url: string;
    readonly mailed: Mailed;
  }>();
  /** @param mail true to email the link to the member */
  const signIn = async ({ id, name, email }: Member, mail: boolean) => {
    try {
      const { url, mailed } = await api.createSignInLink(id, { ...(mail && { mail }), language: language() });
      setLink({ name, url, mailed: { to: email, isSent: mailed } });
    } catch (failure) {
      showFailure(failure);
    }
  };
  const shown = link !== undefined && (
    <AddressDialog
      title={t.people.signInTitle(link.name)}
      about={t.people.signInHelp}
      url={link.url}
      mailed={link.mailed}
      onClose={() => setLink(undefined)}
    />
  );
  return { signIn, shown };
}

/** Screen for the account's members: invite, change roles, create sign-in links, remove. */
export function People() {
  const [members, setMembers] = useState<readonly Member[]>();
  const [invitations, setInvitations] = useState<readonly Invitation[]>([]);
  const [error, setError] = useState<unknown>();
  const [subject, setSubject] = useState<{ readonly what: 'role' | 'remove'; readonly member: Member }>();
  const maySee = may('people:write');

  const read = () =>
    Promise.all([api.listMembers(), api.listInvitations()]).then(([people, waiting]) => {
      setMembers(people);
      setInvitations(waiting);
      setError(undefined);
    }, setError);
  useEffect(() => {
    if (maySee) void read();
  }, [maySee]);
  useShortcuts({ c: () => (maySee ? openDialog('invite') : false) });

  const sendsMail = useSendsMail(maySee);
  const { signIn, shown } = useSignInLink();
  const done = () => {
    setSubject(undefined);
    void read();
  };
  return (
    <Page
      title={t.places.people}
      about={t.people.about}
      actions={
        <Button
          kind="primary"
          icon="plus"
          keys="c"
          disabledReason={maySee ? undefined : t.people.forbidden}
          onClick={() => openDialog('invite')}
        >
          {t.people.invite}
        </Button>
      }
    >
      {!maySee ? (
        <p class="soft">{t.people.forbidden}</p>
      ) : (
        <Loaded value={members} error={error} failed={t.people.failed} onRetry={read}>
          {(members) =>
            members.length === 0 ? (
              <Nobody />
            ) : (
              <Table
                members={members}
                onRole={(member) => setSubject({ what: 'role', member })}
                onRemove={(member) => setSubject({ what: 'remove', member })}
                sendsMail={sendsMail}
                onSignIn={(member, mail) => void signIn(member, mail)}
              />
            )
          }
        </Loaded>
      )}
      {invitations.length > 0 && <Waiting invitations={invitations} onChange={() => void read()} />}
      {openDialogName.value === 'invite' && maySee && (
        <InviteDialog
          sendsMail={sendsMail}
          onCreated={() => void read()}
          onClose={() => void closeDialog()}
        />
      )}
      {subject?.what === 'role' && (
        <RoleDialog subject={subject.member} onDone={done} onClose={() => setSubject(undefined)} />
      )}
      {subject?.what === 'remove' && (
        <RemoveDialog subject={subject.member} onDone={done} onClose={() => setSubject(undefined)} />
      )}
      {shown}
    </Page>
  );
}

function Nobody() {
  return (
    <Empty
      title={t.people.nobody}
      ways={
        <Button kind="primary" onClick={() => openDialog('invite')}>
          {t.people.invite}
        </Button>
      }
    >
      {t.people.nobodyMore}
    </Empty>
  );
}

interface TableProps {
  readonly members: readonly Member[];
  readonly onRole: (member: Member) => void;
  readonly onRemove: (member: Member) => void;
  readonly sendsMail: boolean;
  /** @param mail true to email the link to the member */
  readonly onSignIn: (member: Member, mail: boolean) => void;
}

/** Shows the domains and folders to which a member is restricted, if any. */
function RestrictedTo({ subject }: { readonly subject: Pick<Member, 'domains' | 'folders'> }) {
  const words = describeRestrictions(subject);
  return words === undefined ? null : (
    <span class="soft block" dir="auto">
      {t.people.only(words)}
    </span>
  );
}

/** Returns true if the user may change a member. Only owners, and keys without a member, may change owners. */
function mayChange({ role }: Member): boolean {
  const person = me.value?.person;
  return role !== 'owner' || person == null || person.role === 'owner';
}

function Table({ members, onRole, onRemove, sendsMail, onSignIn }: TableProps) {
  return (
    <Ledger
      class="members-table"
      columns={[
        { name: t.people.name },
        { name: t.people.role },
        { name: t.people.lastSeen, class: 'wide' },
        { name: t.more, class: 'unseen' },
      ]}
    >
      {members.map((member) => (
        <tr key={member.id}>
          <td>
            <b dir="auto">{member.name}</b>
            <span class="soft block">
              {member.isCurrent
                ? t.people.you
                : (member.email ?? t.people.joined(longDate(member.createdAt)))}
            </span>
          </td>
          <td>
            <span title={t.people.mays[member.role]}>{t.roles[member.role]}</span>
            <RestrictedTo subject={member} />
          </td>
          <td class="wide soft">
            {member.lastSeenAt === null ? t.people.notYet : relative(member.lastSeenAt)}
          </td>
          <td>
            {mayChange(member) && (
              <RowMenu
                label={t.moreFor(member.name)}
                items={() => [
                  { label: t.people.changeRole, icon: 'pencil', onSelect: () => onRole(member) },
                  ...(member.isCurrent
                    ? []
                    : [
                        {
                          label: t.people.signIn,
                          icon: 'link',
                          onSelect: () => onSignIn(member, false),
                        } as const,
                      ]),
                  ...(member.isCurrent || member.email === null || !sendsMail
                    ? []
                    : [
                        {
                          label: t.people.mailSignIn,
                          icon: 'external',
                          onSelect: () => onSignIn(member, true),
                        } as const,
                      ]),
                  undefined,
                  { label: t.people.remove, icon: 'close', isDanger: true, onSelect: () => onRemove(member) },
                ]}
              />
            )}
          </td>
        </tr>
      ))}
    </Ledger>
  );
}

interface WaitingProps {
  readonly invitations: readonly Invitation[];
  readonly onChange: () => void;
}

function Waiting({ invitations, onChange }: WaitingProps) {
  const withdraw = async (id: string) => {
    try {
      await api.withdrawInvitation(id);
      notify(t.people.withdrawn);
    } catch (error) {
      showFailure(error);
    }
    onChange();
  };
  return (
    <section class="settings-group">
      <h2>{t.people.waiting}</h2>
      <table class="ledger members-table">
        <tbody>
          {invitations.map(({ id, role, email, domains, folders, invitedBy, expiresAt }) => (
            <tr key={id}>
              <td>
                <b dir="auto">{email ?? t.people.anybody}</b>
                <span class="soft block">
                  {invitedBy === null ? t.people.byOperator : t.people.by(invitedBy)}
                </span>
              </td>
              <td>
                {t.roles[role]}
                <RestrictedTo subject={{ domains, folders }} />
              </td>
              <td class="wide soft">{t.people.ends(relative(expiresAt))}</td>
              <td>
                <Button size="small" onClick={() => void withdraw(id)}>
                  {t.people.withdraw}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
