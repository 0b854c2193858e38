/** Why a poll is not shown. */
export const problemTexts = {
  signIn: {
    title: 'Authentication Required',
    text: 'This is a private poll that requires you to be logged in to view it.',
  },
  denied: {
    title: 'Access Denied',
    text: "You don't have permission to view this private poll. Only the poll creator and invited users can access it.",
  },
  notFound: {
    title: 'Poll Not Found',
    text: "The poll you're looking for doesn't exist or may have been removed.",
  },
  unavailable: {
    title: 'We can’t show this poll right now',
    text: 'The polling service didn’t respond. Please try again in a moment; nothing is lost.',
  },
  login: 'Log In',
  retry: 'Try again',
  back: { community: 'Back to Community Polls', weekly: 'Back to Home' },
} as const;
