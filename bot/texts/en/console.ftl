# The terminal: listings, sources, commands and notices.

listing-total =
    { $total ->
        [one] 1 page with “{ $text }”
       *[other] { $total } pages with “{ $text }”
    }
listing-page = page { $page } of { $pages }
listing-missing = On no page: { $words }.
listing-apart = No page has its words together; try fewer.
listing-no-product = No product
listing-automatic =
    { $count ->
        [one] 1 automatic page:
       *[other] { $count } automatic pages:
    }
listing-past-the-end = There is no page { $page }: the results end at page { $pages }.
listing-nothing = No page holds “{ $text }”.
listing-suggestions = Perhaps { $words }? These are similar words that the wiki does hold.
listing-more = Type { $command } for the next page.

status-draft = draft
status-archived = archived
status-stale = out of date

sources-heading = Sources
age-days =
    { $count ->
        [0] today
        [one] 1 day ago
       *[other] { $count } days ago
    }
age-months =
    { $count ->
        [one] 1 month ago
       *[other] { $count } months ago
    }
age-years =
    { $count ->
        [one] 1 year ago
       *[other] { $count } years ago
    }

other-way-search = Did you want the pages that name it? Type { $command }
other-way-ask = Did you want an answer? Type { $command }

stage-searching = Searching the wiki…
stage-writing = Writing the answer…

welcome = Ask anything about the wiki, or type a few words to search for them. { $help } tells more; { $quit } leaves.
console-help =
    A question gets an answer with its sources; what you type next follows it up.
    A few words, at the start, get the pages that hold them.

    /search WORDS       search for the words as they are (no words: those of your last message)
    /ask TEXT           ask for an answer (no text: your last message)
    /more               the next page of the last listing
    /sources [N]        the passages of the last answer, or only number N
    /new                start another conversation
    /help               this help
    /quit               leave (Ctrl-D too); Ctrl-C stops the question that is running
unknown-command = I do not know the command { $command }. Type { $help } to see which there are.
unknown-command-near = I do not know the command { $command }. Did you mean { $near }?
command-needs-text = Type something after { $command }, for example: { $command } { $example }
example-search = backup
example-ask = how do I install the bot?
new-conversation = A new conversation: what came before is forgotten.
no-sources = No sources yet: ask something first.
no-such-source =
    { $count ->
        [one] The last answer has only one source.
       *[other] The last answer has { $count } sources: choose from 1 to { $count }.
    }
no-more-pages = There are no more pages to show.
cancelled = Question stopped.
goodbye = See you!
turn-failed = I could not answer: { $reason }

speaker-user = User
speaker-oracle = Oráculo

why-heading = Why
why-relevance = Relevance { $relevance } (the floor is { $floor })
why-signals = Signals:
why-terms = Terms, with their rarity:
why-failed-list = The list { $name } failed; the others answered.
why-reranked = Reranked by { $name }:
why-reranked-page = { $page } (was { $before })
why-reranking-failed = The reranking by { $name } failed; the passages keep the order of the search.
