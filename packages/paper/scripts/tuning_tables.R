# Real tables on which defaults are tuned; none of them is, or contains rows of, one of the seven tables of docs/tables.md.
#
#   Rscript packages/paper/scripts/tuning_tables.R FOLDER
#
# writes FOLDER/*.csv (a header, the classes in the last column, `class`; missing values are empty cells) and FOLDER/README with
# the counts. The data comes with these packages of Debian 12 (R 4.2.2):
#
#   r-base-core r-cran-mlbench r-cran-kernlab r-cran-modeldata r-cran-cardata r-cran-survival r-cran-dslabs r-cran-mclust
#   r-cran-ggplot2
#
# Names say what was done to the rows. `-1to10`: the rarer class was thinned to a tenth of the other. `-tail20`: class sizes fall
# geometrically, the last class a twentieth of the first. `-sample`: the large classes were thinned to keep the table small. Rows are
# drawn with a fixed seed per table and stay in their order.

folder <- commandArgs(trailingOnly = TRUE)[1]
if (is.na(folder)) stop("name the folder that the tables go to")
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
RNGversion("3.6.0")

from <- function(package, name, target, drop = character()) {
  place <- new.env()
  data(list = name, package = package, envir = place)
  table <- as.data.frame(get(name, place))
  table$class.column <- as.character(table[[target]])
  table <- table[!is.na(table$class.column), !(names(table) %in% c(target, drop)), drop = FALSE]
  names(table)[names(table) == "class.column"] <- "class"
  table
}

# At most `counts[class]` rows of each class.
thin <- function(table, counts, seed = 1) {
  set.seed(seed)
  kept <- unlist(lapply(names(counts), function(name) {
    rows <- which(table$class == name)
    rows[sample.int(length(rows), min(length(rows), round(counts[[name]])))]
  }))
  table[sort(kept), , drop = FALSE]
}

# The rarer of two classes at 1 : ratio.
one_to <- function(table, ratio) {
  counts <- sort(table(table$class))
  counts[1] <- counts[2] / ratio
  thin(table, as.list(counts))
}

# Classes in alphabetical order, their sizes falling geometrically from `largest` to `largest / ratio`.
tail_of <- function(table, largest, ratio) {
  classes <- sort(unique(table$class))
  sizes <- largest * ratio^(-(seq_along(classes) - 1) / (length(classes) - 1))
  thin(table, as.list(setNames(sizes, classes)))
}

# No class with more than `most` rows.
sample_of <- function(table, most) thin(table, as.list(pmin(table(table$class), most)))

tables <- list(
  "ad-data" = from("modeldata", "ad_data", "Class"),
  "ames-condition" = from("modeldata", "ames", "Overall_Cond"),
  "attrition" = from("modeldata", "attrition", "Attrition"),
  "chile" = from("carData", "Chile", "vote"),
  "churn" = from("modeldata", "mlc_churn", "churn"),
  "credit-1to8" = one_to(from("modeldata", "credit_data", "Status"), 8),
  "diamonds-clarity-tail50" = tail_of(from("ggplot2", "diamonds", "clarity"), 700, 50),
  "hpc" = from("modeldata", "hpc_data", "class"),
  "letter-tail40" = tail_of(from("mlbench", "LetterRecognition", "lettr"), 600, 40),
  "new-thyroid" = from("mclust", "thyroid", "Diagnosis"),
  "olive" = from("dslabs", "olive", "area", drop = "region"),
  "pima-1to6" = one_to(from("mlbench", "PimaIndiansDiabetes2", "diabetes"), 6),
  "sacramento" = from("modeldata", "Sacramento", "type", drop = c("zip")),
  "satellite-tail40" = tail_of(from("mlbench", "Satellite", "classes"), 1000, 40),
  "shuttle-sample" = sample_of(from("mlbench", "Shuttle", "Class"), 2500),
  "soybean" = from("mlbench", "Soybean", "Class"),
  "spam-1to20" = one_to(from("kernlab", "spam", "type"), 20),
  # The rows that the CoIL challenge trained on.
  "ticdata" = from("kernlab", "ticdata", "CARAVAN")[1:5822, ],
  "transplant" = from("survival", "transplant", "event"),
  "vowel-tail20" = tail_of(from("mlbench", "Vowel", "Class"), 90, 20),
  # Relapse of Wilms tumours.
  "wilms-relapse" = from("survival", "nwtco", "rel", drop = c("seqno", "trel", "edrel", "in.subcohort"))
)

lines <- character()
for (name in names(tables)) {
  table <- tables[[name]]
  stopifnot(tail(names(table), 1) == "class", !anyDuplicated(names(table)))
  write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE, na = "", quote = TRUE)
  counts <- sort(table(table$class), decreasing = TRUE)
  categorical <- sum(sapply(table, function(x) is.factor(x) || is.character(x))) - 1
  lines <- c(lines, sprintf("%s: %d rows, %d columns (%d of text), %d rows with missing values, %d classes: %s",
    name, nrow(table), ncol(table) - 1, categorical, sum(!complete.cases(table)), length(counts),
    paste(names(counts), counts, collapse = ", ")))
}
writeLines(lines, file.path(folder, "README"))
