/** Schemas of the contract, compiled during the site build (.config/contract-checks.ts). */

declare module 'virtual:contract-check/login' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/account.ts').Login>;
  export default check;
}
declare module 'virtual:contract-check/registration' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/account.ts').Registration>;
  export default check;
}
declare module 'virtual:contract-check/userChange' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/account.ts').UserChange>;
  export default check;
}
declare module 'virtual:contract-check/passwordChange' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/account.ts').PasswordChange>;
  export default check;
}
declare module 'virtual:contract-check/userDeletion' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/account.ts').UserDeletion>;
  export default check;
}
declare module 'virtual:contract-check/passwordConfirmation' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/account-security.ts').PasswordConfirmation>;
  export default check;
}
declare module 'virtual:contract-check/recovery' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/account-security.ts').Recovery>;
  export default check;
}
declare module 'virtual:contract-check/passwordReset' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/account-security.ts').PasswordReset>;
  export default check;
}

declare module 'virtual:contract-check/emailChange' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/account-security.ts').EmailChange>;
  export default check;
}

declare module 'virtual:contract-check/resetRequest' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/account-security.ts').ResetRequest>;
  export default check;
}
declare module 'virtual:contract-check/newCommunityPoll' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/community-poll.ts').NewCommunityPoll>;
  export default check;
}
declare module 'virtual:contract-check/newComment' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/comment.ts').NewComment>;
  export default check;
}
declare module 'virtual:contract-check/newInvite' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/invitation.ts').NewInvite>;
  export default check;
}
declare module 'virtual:contract-check/report' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/moderation.ts').Report>;
  export default check;
}
declare module 'virtual:contract-check/pollContent' {
  const check: import('./check-input.ts').ContractCheck<import('#contract/poll-editor.ts').PollContent>;
  export default check;
}
