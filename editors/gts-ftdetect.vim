au BufRead,BufNewFile *.gts setfiletype gts
