// Package consent remembers what of other people's projects the analyst has agreed to
// execute. A project folder says how its program is run: arguments, environment, a
// shell command before every run, templates by which it is given its parameters, and
// where a load goes. Who received the folder wrote none of that.
//
// A Request lists everything that would be executed or contacted. Consent is given
// once for a folder and what it says, as editors trust a workspace: another folder,
// or other words in the same one, are another request. It is kept in the user's
// configuration, never in the project, whose author could have put it there. A load
// on another machine needs more than a nod: its host has to be named.
package consent
