-- Why: after an import, whoever had written a word wrong waited for the whole of what had not been sorted into this index
-- yet, which was read again each time. New words are few, and sorted in as they come.

alter index search_words_alike set (fastupdate = off);

-- what waits there already
do $$ begin perform gin_clean_pending_list('search_words_alike'); end $$;
