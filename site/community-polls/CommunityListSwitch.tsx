import { isPlainPress } from '#site/client/address.ts';
import { communityTexts as texts } from '#texts/community.ts';
import styles from './CommunityList.module.css';
import { communityAddress, firstCommunityView, type CommunityView } from './community-list-view.ts';

interface CommunityListSwitchProps {
  readonly view: CommunityView;
  readonly onView: (view: CommunityView) => void;
}

/** Everybody's polls, or the reader's own with the unlisted and private ones. */
export function CommunityListSwitch({ view, onView }: CommunityListSwitchProps) {
  return (
    <nav className={styles.switch} aria-label={texts.which}>
      {[false, true].map((mine) => {
        const next = { ...firstCommunityView, mine };
        return (
          <a
            key={String(mine)}
            className={styles.choice}
            href={communityAddress(next)}
            aria-current={mine === view.mine ? 'page' : undefined}
            onClick={(event) => {
              if (!isPlainPress(event)) return;
              event.preventDefault();
              onView(next);
            }}
          >
            {mine ? texts.mine : texts.everybodys}
          </a>
        );
      })}
    </nav>
  );
}
